import { Option } from 'commander'
import { UsageError } from './usage-error.ts'

/** Flags that let callers in who are kept out by default. */
export interface AccessFlags {
  allowHost?: string[]
  allowOrigin?: string[]
}

/** `--allow-host` and `--allow-origin`, each as often as wanted; `*` for all. */
export function accessFlags(): Option[] {
  return [
    new Option(
      '--allow-host <name>',
      'a name that callers may know the services by, beside localhost; repeat it; *: any',
    ).argParser(each(hostName)),
    new Option(
      '--allow-origin <url>',
      'a site whose pages may call, beside those on localhost; repeat it; *: any',
    ).argParser(each(siteOrigin)),
  ]
}

/** What the services are told of them. */
export function accessOf({ allowHost, allowOrigin }: AccessFlags) {
  return { allowHosts: allowHost, allowOrigins: allowOrigin }
}

/** Several at once, separated by commas, as an environment variable has to give them. */
const each =
  (parse: (word: string) => string) =>
  (text: string, before: string[] = []): string[] => [...before, ...text.split(',').map(parse)]

function hostName(text: string): string {
  const name = text.toLowerCase()
  if (text === '*' || URL.parse(`http://${name}/`)?.hostname === name) return name
  throw new UsageError(`--allow-host must be a host name without a port, or *, not '${text}'.`)
}

function siteOrigin(text: string): string {
  const { origin = 'null' } = URL.parse(text) ?? {}
  if (text === '*') return text
  if (origin !== 'null') return origin
  throw new UsageError(`--allow-origin must be a URL as https://app.example, or *, not '${text}'.`)
}
