import type { JsonObject } from '../mutant.ts'

/** What a text says; undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Likewise, as an object; an empty one where it says nothing. */
export const parseMembers = (text: string) => Object(parseJson(text)) as JsonObject
