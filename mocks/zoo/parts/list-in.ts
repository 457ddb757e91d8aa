import type { JsonObject } from '../mutant.ts'

/** A list of objects; an empty one where it is none. */
export const listIn = (value: unknown) => (Array.isArray(value) ? value : []) as JsonObject[]
