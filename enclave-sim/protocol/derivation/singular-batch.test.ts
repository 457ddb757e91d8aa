import { hexToBytes } from '@ethereumjs/util'
import { toRlp } from 'viem'
import { expect, test } from 'vitest'
import { decodeSingularBatch, encodeSingularBatch } from './singular-batch.ts'

const PARENT = `0x${'aa'.repeat(32)}` as const
const EPOCH = `0x${'bb'.repeat(32)}` as const
const BATCH = {
  parentHash: PARENT,
  epochNumber: 300n,
  epochHash: EPOCH,
  timestamp: 1_700_000_002n,
  transactions: [hexToBytes('0x02c0'), new Uint8Array(0)],
}
/** Encoded by viem in the order of the spec. */
const ENCODED = hexToBytes(toRlp([PARENT, '0x012c', EPOCH, '0x6553f102', ['0x02c0', '0x']]))

test('given a batch, its RLP is that of the spec, and back', () => {
  expect(encodeSingularBatch(BATCH)).toEqual(ENCODED)
  expect(decodeSingularBatch(ENCODED)).toEqual(BATCH)
})

test('given bytes behind a batch, they are ignored', () => {
  expect(decodeSingularBatch(Uint8Array.of(...ENCODED, 1, 2, 3))).toEqual(BATCH)
})

test.each([
  ['nothing', '0x'],
  ['a string', '0x83010203'],
  ['four fields', toRlp([PARENT, '0x01', EPOCH, '0x01'])],
  ['six fields', toRlp([PARENT, '0x01', EPOCH, '0x01', [], '0x'])],
  ['a short hash', toRlp(['0xaa', '0x01', EPOCH, '0x01', []])],
  ['a number with a leading zero', toRlp([PARENT, '0x0001', EPOCH, '0x01', []])],
  ['a number of nine bytes', toRlp([PARENT, '0x010000000000000000', EPOCH, '0x01', []])],
  ['transactions that are no list', toRlp([PARENT, '0x01', EPOCH, '0x01', '0x'])],
  ['a list as transaction', toRlp([PARENT, '0x01', EPOCH, '0x01', [['0x01']]])],
] as const)('given %s, it is no batch', (_name, hex) => {
  expect(() => decodeSingularBatch(hexToBytes(hex))).toThrow(
    expect.objectContaining({ code: 'BATCH_MALFORMED' }),
  )
})
