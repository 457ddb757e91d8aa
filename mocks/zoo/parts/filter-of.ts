import type { JsonObject } from '../mutant.ts'

/** The filter of a question for logs; nothing where there is none. */
export const filterOf = (params: readonly unknown[]) => Object(params[0]) as JsonObject
