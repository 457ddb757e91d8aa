import { type FlagsOf, type Parser, value } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** Several at once, separated by commas, as an environment variable has to give them. */
const each =
  (parse: (word: string) => string): Parser<string[]> =>
  () =>
  (text, before = []) => [...before, ...text.split(',').map(parse)]

/** They let callers in who are kept out by default; each as often as wanted. */
export const ACCESS_FLAGS = {
  allowHost: value(
    '<name>',
    'a name that callers may know the services by, beside localhost; repeat it; *: any',
    each(hostName),
  ),
  allowOrigin: value(
    '<url>',
    'a site whose pages may call, beside those on localhost; repeat it; *: any',
    each(siteOrigin),
  ),
}

export type AccessFlags = FlagsOf<typeof ACCESS_FLAGS>

/** What the services are told of them. */
export function accessOf({ allowHost, allowOrigin }: AccessFlags) {
  return { allowHosts: allowHost, allowOrigins: allowOrigin }
}

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
