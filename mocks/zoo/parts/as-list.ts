import type { JsonObject } from '../mutant.ts'

/** A list of objects, as which it is taken unseen. */
export const asList = (value: unknown) => value as JsonObject[]
