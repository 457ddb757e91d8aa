import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { concatHex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { decodeBatcherData, encodeBatcherData } from './frame.ts'

const ID = `0x${'ab'.repeat(16)}` as const
/** Channel id, number 1, two bytes of data, last: put together as the spec's table says. */
const FRAME = concatHex([ID, '0x0001', '0x00000002', '0xc0de', '0x01'])

test('given the bytes of a batcher transaction, its frames are read', () => {
  const data = hexToBytes(concatHex(['0x00', FRAME, ID, '0x0002', '0x00000000', '0x00']))
  expect(decodeBatcherData(data)).toEqual([
    { channelId: ID, number: 1, data: hexToBytes('0xc0de'), isLast: true },
    { channelId: ID, number: 2, data: new Uint8Array(0), isLast: false },
  ])
})

test.each([
  ['nothing', '0x'],
  ['another version', concatHex(['0x01', FRAME])],
  ['a frame cut short', concatHex(['0x00', FRAME]).slice(0, -2)],
  ['a byte behind the last frame', concatHex(['0x00', FRAME, '0x00'])],
  ['is_last of 2', concatHex(['0x00', ID, '0x0000', '0x00000000', '0x02'])],
  ['a length beyond the end', concatHex(['0x00', ID, '0x0000', '0x00000009', '0xaa', '0x00'])],
  ['a good frame before a bad one', concatHex(['0x00', FRAME, ID])],
] as const)('given %s, there are no frames at all', (_name, data) => {
  expect(decodeBatcherData(hexToBytes(data as `0x${string}`))).toEqual([])
})

test('given a frame of 1,000,000 bytes it is read, and with one byte more it is not', () => {
  const data = (length: number) =>
    hexToBytes(
      concatHex([
        ...(['0x00', ID, '0x0000', numberToHex(length, { size: 4 })] as const),
        ...([bytesToHex(new Uint8Array(length)), '0x01'] as const),
      ]),
    )
  expect(decodeBatcherData(data(1_000_000))).toHaveLength(1)
  expect(decodeBatcherData(data(1_000_001))).toEqual([])
})

test('given any frames, decoding gives back what was encoded', () => {
  const frame = fc.record({
    channelId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => bytesToHex(id)),
    number: fc.integer({ min: 0, max: 0xffff }),
    data: fc.uint8Array({ maxLength: 100 }),
    isLast: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
      expect(decodeBatcherData(encodeBatcherData(frames))).toEqual(frames)
    }),
    { seed: 1 },
  )
})
