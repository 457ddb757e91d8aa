import { decode } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { decodeNode } from './node.ts'

const EMPTY = new Uint8Array(0)
const bytes = (least: number, most = least) => fc.uint8Array({ minLength: least, maxLength: most })
const none = fc.constant(EMPTY)

/** Mostly what a branch has: hashes and gaps; sometimes what it may not have. */
const child = fc.oneof(
  { weight: 12, arbitrary: bytes(32) },
  { weight: 6, arbitrary: none },
  { weight: 1, arbitrary: bytes(1, 33) },
)
/** With a value that must be empty, and now and then an item too many. */
const last = fc.oneof(
  { weight: 6, arbitrary: fc.constant([EMPTY]) },
  { weight: 1, arbitrary: fc.tuple(bytes(1)) },
  { weight: 1, arbitrary: fc.constant([EMPTY, EMPTY]) },
)
const branch = fc
  .tuple(fc.array(child, { minLength: 16, maxLength: 16 }), last)
  .map(([children, others]) => encodeRlp([...children, ...others]))
/** One byte, often of its length or the last, set to another, cut off, or doubled. */
const change = fc.record({
  at: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.nat(600)),
  to: fc.constantFrom(0x00, 0x37, 0x38, 0x80, 0xa0, 0xf8, 0xf9, 0xff),
  how: fc.constantFrom('keep', 'set', 'cut', 'double'),
})

/** What another decoder of RLP finds: the sixteen children, or undefined where it is no branch. */
function childrenIn(encoded: Uint8Array): (Uint8Array | null)[] | undefined {
  let list: unknown
  try {
    list = decode(encoded)
  } catch {
    return undefined
  }
  if (!Array.isArray(list) || list.length !== 17 || list[16].length !== 0) return undefined
  const children: unknown[] = list.slice(0, 16)
  const isBranch = children.every(
    (one) => one instanceof Uint8Array && [0, 32].includes(one.length),
  )
  return isBranch
    ? children.map((one) => ((one as Uint8Array).length ? (one as Uint8Array) : null))
    : undefined
}

test('given a branch of hashes, whole or with a byte changed, then it has the children that any RLP decoder finds, or is refused', () => {
  let read = 0
  fc.assert(
    fc.property(branch, change, (whole, { at, to, how }) => {
      const place = (at + whole.length) % whole.length
      const tail = how === 'keep' ? whole.subarray(place) : whole.subarray(place + 1)
      const instead = { keep: [], set: [to], cut: [], double: [whole[place]!, whole[place]!] }[how]
      const encoded = Uint8Array.from([...whole.subarray(0, place), ...instead, ...tail])
      const children = childrenIn(encoded)
      if (children) {
        read += 1
        expect(decodeNode(encoded)).toEqual({ kind: 'branch', children })
      } else {
        const refused = expect.objectContaining({ code: 'NODE_MALFORMED' })
        expect(() => decodeNode(encoded)).toThrow(refused)
      }
    }),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(20)
})
