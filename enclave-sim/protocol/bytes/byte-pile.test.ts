import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BytePile } from './byte-pile.ts'

const anyStrings = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 900 }),
    fc.uint8Array({ minLength: 60_000, maxLength: 70_000 }),
  ),
  { maxLength: 30 },
)

test('given any byte strings, long ones among them, then each stays as it was, also when what it was copied from changes', () => {
  fc.assert(
    fc.property(anyStrings, (given) => {
      const pile = new BytePile()
      const added = given.map((bytes) => {
        const source = bytes.slice()
        const copy = pile.add(source)
        source.fill(0xee)
        return copy
      })
      expect(added.map((bytes) => Buffer.from(bytes))).toEqual(
        given.map((bytes) => Buffer.from(bytes)),
      )
    }),
    { numRuns: 50 },
  )
})

test('given a pile that was cleared, then what is added next stays too, and a large piece is used again', () => {
  const pile = new BytePile()
  const long = pile.add(new Uint8Array(50_000))
  pile.clear()
  const added = [1, 2, 3].map((byte) => pile.add(new Uint8Array(10_000).fill(byte)))
  expect(added.map((bytes) => bytes[9_999])).toEqual([1, 2, 3])
  expect(added.map(({ buffer }) => buffer === long.buffer)).toEqual([true, true, true])
})
