import type { Targets } from './targets.ts'

/** What stands in reports where a secret was. */
export const REDACTED = '***'
/** Shorter parts of a path or query are names, not keys. */
const SHORTEST_KEY_IN_PATH = 16
const SHORTEST_KEY_IN_QUERY = 8
const URL_IN_TEXT = /\b(?:https?|wss?):\/\/[^\s'"<>]+/g

/**
 * Takes the keys of target URLs and headers out of whatever goes into a report: user and password, long
 * parts of paths and queries, and the values of all headers, wherever they turn up again.
 */
export function createRedactor(options: {
  targets: Targets
  headers?: Readonly<Record<string, string>>
}): <T>(value: T) => T {
  const urls = Object.values(options.targets).flatMap((text) => text?.match(URL_IN_TEXT) ?? [])
  const inHeaders = Object.values(options.headers ?? {}).flatMap((value) => [
    value,
    ...value.split(/\s+/).filter((part) => part.length >= SHORTEST_KEY_IN_QUERY),
  ])
  const secrets = [...new Set([...urls.flatMap(secretsIn), ...inHeaders])]
    .filter((secret) => secret.length > 0)
    .sort((a, b) => b.length - a.length)
  const redactText = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
  return secrets.length === 0 ? (value) => value : (value) => mapTexts(value, redactText) as never
}

function secretsIn(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { username, password, pathname, searchParams, search, hash } = new URL(text)
  const inPath = pathname.split('/').filter((part) => part.length >= SHORTEST_KEY_IN_PATH)
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  const inQuery = [...searchParams.values(), ...raw, hash.slice(1)].filter(
    (part) => part.length >= SHORTEST_KEY_IN_QUERY,
  )
  const user = [username, password].filter(Boolean)
  const both = user.length ? [user.join(':')] : []
  return [...both, ...[...user, ...inPath, ...inQuery].flatMap((part) => [part, decoded(part)])]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapTexts(each, change)]),
  )
}
