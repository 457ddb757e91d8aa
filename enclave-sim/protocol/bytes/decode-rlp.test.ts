import { decode, encode, type Input } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRlp } from './decode-rlp.ts'

const { tree } = fc.letrec<{ tree: Input }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}))

const depthOf = (item: Input): number =>
  Array.isArray(item) ? 1 + Math.max(0, ...item.map(depthOf)) : 0

test('given any item, then it is read as it was, and not where less depth is allowed than it has', () => {
  fc.assert(
    fc.property(tree, (item) => {
      const bytes = encode(item)
      const depth = depthOf(item)
      expect(decodeRlp(bytes, depth)).toEqual(item)
      if (depth > 0) expect(() => decodeRlp(bytes, depth - 1)).toThrow(RangeError)
    }),
    { seed: 1, numRuns: 300 },
  )
})

/** Heads, lengths and what stands around them: most of it is malformed. */
const heads = fc.constantFrom(0, 1, 2, 55, 56, 57, 0x7f, 0x80, 0x81, 0x82, 0xb7, 0xb8, 0xb9)
const lists = fc.constantFrom(0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xf7, 0xf8, 0xf9, 0xff)
const bytes = fc.oneof(
  fc.array(fc.oneof(heads, lists), { maxLength: 9 }),
  fc
    .tuple(fc.array(fc.oneof(heads, lists), { maxLength: 3 }), fc.nat(60))
    .map(([first, rest]) => [...first, ...new Array<number>(rest).fill(0x80)]),
)

test('given any bytes, then the reference refuses the same, and reads the same', () => {
  const outcome = (read: () => unknown) => {
    try {
      return read()
    } catch {
      return 'refused'
    }
  }
  fc.assert(
    fc.property(bytes, (given) => {
      const all = Uint8Array.from(given)
      expect(outcome(() => decodeRlp(all, 1_000))).toEqual(outcome(() => decode(all)))
    }),
    { seed: 2, numRuns: 3_000 },
  )
})

const zeros = (count: number) => new Array<number>(count).fill(0)

test.each<[string, number[]]>([
  ['a byte that is its own code, with a head', [0x81, 0x7f]],
  ['a short string with a length of its own', [0xb8, 55, ...zeros(55)]],
  ['a short list with a length of its own', [0xf8, 55, ...zeros(55)]],
  ['a length with a leading zero', [0xb9, 0, 56, ...zeros(56)]],
  ['the same of a list', [0xf9, 0, 56, ...zeros(56)]],
  ['no length', [0xb8]],
  ['half a length', [0xf9, 1]],
  ['an item that goes on behind its list', [0xc1, 0x81, 0x80]],
  ['the same within another list', [0xc3, 0xc1, 0x81, 0x80]],
  ['two items', [0x80, 0x80]],
])('given %s, then it is refused', (_, given) => {
  expect(() => decodeRlp(Uint8Array.from(given), 5)).toThrow(RangeError)
})

test('given lists nested 100,000 deep, then they are refused at the depth that is allowed', () => {
  const backwards: number[] = []
  for (let depth = 0; depth < 100_000; depth++) {
    const bytes = backwards.length <= 55 ? '' : backwards.length.toString(16)
    const length = Buffer.from(bytes.length % 2 ? `0${bytes}` : bytes, 'hex')
    backwards.push(
      ...length.reverse(),
      length.length ? 0xf7 + length.length : 0xc0 + backwards.length,
    )
  }
  expect(() => decodeRlp(Uint8Array.from(backwards.reverse()), 5)).toThrow('too deeply')
})
