import { encode } from '@ethereumjs/rlp'
import { concatBytes, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRlpItem, readRlpList } from './rlp-item.ts'

test('given any string in RLP with more behind it, the string is found', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 70_000 }),
      fc.uint8Array({ maxLength: 9 }),
      (bytes, more) => {
        const encoded = encode(bytes)
        const item = readRlpItem(concatBytes(encoded, more))
        expect(item).toEqual({ isList: false, encoded, payload: bytes })
      },
    ),
    { seed: 4, numRuns: 50 },
  )
})

test('given any list in RLP, its items are found', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 80 }), (items) => {
      const { isList, payload } = readRlpItem(encode(items))
      expect(isList).toBe(true)
      expect(readRlpList(payload).map((item) => item.payload)).toEqual(items)
    }),
    { seed: 5, numRuns: 50 },
  )
})

test.each([
  ['nothing', '0x'],
  ['a single byte with a header', '0x8101'],
  ['a long form for a short string', '0xb801ff'],
  ['a long form for the longest short string', `0xb837${'ff'.repeat(55)}`],
  ['a length with a leading zero', `0xb90038${'00'.repeat(56)}`],
  ['a string beyond the end', '0x83aabb'],
  ['a list beyond the end', '0xc3aabb'],
  ['a length of eight bytes', `0xbfffffffffffffffff`],
  ['a length cut short', '0xb9ff'],
] as const)('given %s, it is refused', (_name, hex) => {
  expect(() => readRlpItem(hexToBytes(hex))).toThrow(
    expect.objectContaining({ code: 'BATCH_MALFORMED' }),
  )
})
