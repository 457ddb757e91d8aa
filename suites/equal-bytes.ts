import { expect } from 'vitest'

/**
 * Byte strings are compared as such: by default vitest looks at each byte as a member of an object, which takes seconds
 * for some hundred kilobytes.
 */
expect.addEqualityTesters([
  (one: unknown, other: unknown) => {
    if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined
    // Of another class: whether that matters is for the matcher to say.
    if (one.constructor !== other.constructor) return undefined
    return Buffer.compare(one, other) === 0
  },
])
