import type { Targets } from './targets.ts'

/** What stands in reports where a secret was. */
export const REDACTED = '***'
/** Shorter parts of a path or query, and shorter values of a header, are names, not keys. */
const SHORTEST_KEY_IN_PATH = 16
const SHORTEST_KEY_IN_QUERY = 8
const SHORTEST_KEY_IN_HEADER = 8
/** Headers whose value is a secret, however short. */
const SECRET_HEADER = /auth|cookie|key|pass|secret|token|credential/i
/** Members of a report that are the gate's own words: a header may be like one of them. */
const OWN_WORDS = new Set([
  ...['schema', 'name', 'version', 'startedAt', 'profile', 'claims', 'cases', 'rules', 'flags'],
  ...['id', 'title', 'area', 'surface', 'level', 'rationale', 'verdict', 'blockedBy', 'transport'],
  ...['says', 'status', 'topic', 'why', 'affects', 'problem', 'expires'],
])
/** Members that hold what a target said, of any shape: there a member of any name may hold a secret. */
const WORDS_OF_TARGETS = new Set(['expected', 'actual'])
const URL_IN_TEXT = /\b(?:https?|wss?):\/\/[^\s'"<>]+/g

/**
 * Takes the keys of target URLs and headers out of whatever goes into a report: user and password, long
 * parts of paths and queries, and the values of headers that are long, or secret by the header's name,
 * wherever they turn up again. Short ones are looked for as whole words alone, and what the gate itself says,
 * such as ids and verdicts, is never changed.
 */
export function createRedactor(options: {
  targets: Targets
  headers?: Readonly<Record<string, string>>
}): <T>(value: T) => T {
  const urls = Object.values(options.targets).flatMap((text) => text?.match(URL_IN_TEXT) ?? [])
  const inHeaders = Object.entries(options.headers ?? {}).flatMap(([name, value]) => [
    ...(SECRET_HEADER.test(name) ? [value] : []),
    ...[value, ...value.split(/\s+/)].filter((part) => part.length >= SHORTEST_KEY_IN_HEADER),
  ])
  const secrets = [...new Set([...urls.flatMap(secretsIn), ...inHeaders])]
    .filter((secret) => secret.length > 0)
    .sort((a, b) => b.length - a.length)
    .map(wherever)
  const redactText = (text: string) =>
    secrets.reduce<string>((rest, secret) => rest.replaceAll(secret, REDACTED), text)
  return secrets.length === 0 ? (value) => value : (value) => mapOwn(value, redactText) as never
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

/** Where a secret stands: a short one only by itself, so that no other word is torn. */
function wherever(secret: string): string | RegExp {
  if (secret.length >= SHORTEST_KEY_IN_HEADER) return secret
  const literally = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<!\\w)${literally}(?!\\w)`, 'g')
}

/** Of a report: its own words and the names of its members stay. */
function mapOwn(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapOwn(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (OWN_WORDS.has(name) && isText(each)) return [name, each]
      return [name, WORDS_OF_TARGETS.has(name) ? mapAll(each, change) : mapOwn(each, change)]
    }),
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isText))
}

/** Of an answer: everything. */
function mapAll(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapAll(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapAll(each, change)]),
  )
}
