import type { JsonObject } from './mutant.ts'

/** Place in a JSON value: an index, a name, or `*` for every element of a list or object. */
export type JsonPath = readonly (string | number)[]

/** The value with what stands at the path changed; a path that leads nowhere changes nothing. */
export function changeAt(
  value: unknown,
  [step, ...rest]: JsonPath,
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const changed = value.map((each, index) =>
      step === '*' || step === index ? changeAt(each, rest, change) : each,
    )
    return changed.at(-1) === undefined ? changed.slice(0, -1) : changed
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).map(
    ([name, each]) =>
      [name, step === '*' || step === name ? changeAt(each, rest, change) : each] as const,
  )
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}
