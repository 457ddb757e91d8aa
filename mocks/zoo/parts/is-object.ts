import type { JsonObject } from '../mutant.ts'

/** Whether a value has members. */
export const isObject = (value: unknown): value is JsonObject => Object(value) === value
