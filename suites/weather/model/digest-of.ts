import { createHash } from 'node:crypto'

/** All that was answered, short: what is told again has to be the same to the letter. */
export const digestOf = (...answers: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 16)

/** By names, in any order and letter case. */
export const digestOfMembers = (members: Readonly<Record<string, unknown>>): string =>
  digestOf(JSON.stringify(Object.entries(members).sort(byName)).toLowerCase())

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
