import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureJson } from './measure-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A second way to count: of what was parsed. */
function count(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
  const inner = Object.values(value).map(count)
  const names = Array.isArray(value) ? 0 : inner.length
  return {
    values: 1 + names + inner.reduce((sum, one) => sum + one.values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

test('given any JSON, then as many values, and as deep, as were parsed of it are found', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = bytes(JSON.stringify(value, undefined, indent))
      const { values, depth } = count(JSON.parse(JSON.stringify(value)))
      const roomy = { maxValues: 1e9, maxDepth: 1e9 }
      expect(measureJson(text, { maxValues: values, maxDepth: depth })).toBe(undefined)
      expect(measureJson(text, { ...roomy, maxValues: values - 1 })).toBe(
        `more than ${values - 1} values and names`,
      )
      if (depth > 0)
        expect(measureJson(text, { ...roomy, maxDepth: depth - 1 })).toBe(
          `more than ${depth - 1} deep`,
        )
    }),
  )
})

test.each(['"', '"\\', '"\\"', '[[', '"a" : tru', ''])(
  'given %s, which is no JSON, then it ends and finds nothing',
  (text) => expect(measureJson(bytes(text), { maxValues: 9, maxDepth: 9 })).toBe(undefined),
)
