import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { concatBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compressChannel, compressChannelAside, decompressChannel } from './channel-compression.ts'

const LIMIT = 60_000
const TEXT = Uint8Array.from({ length: 50_000 }, (_, i) => (i * i * 31) >> 7)

/** Made by node:zlib, apart from the code under test. */
const ENCODED = {
  zlib: Uint8Array.from(deflateSync(TEXT)),
  brotli: concatBytes(Uint8Array.of(1), brotliCompressSync(TEXT)),
}

/** More than the decoder allows itself beyond the limit. */
const ZEROS = new Uint8Array(70_000_000)
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const BOMB = {
  zlib: Uint8Array.from(deflateSync(ZEROS.subarray(0, 1_000_000))),
  brotli: concatBytes(Uint8Array.of(1), brotliCompressSync(ZEROS, FAST)),
}

test('given a channel, then brotli takes a small part of the time that it may take', () => {
  const cpuOf = (work: () => void): number => {
    const before = process.threadCpuUsage()
    for (let round = 0; round < 3; round++) work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const most = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  // Ours is some fortieth.
  expect(cpuOf(() => compressChannel(TEXT, 'brotli'))).toBeLessThan(
    cpuOf(() => brotliCompressSync(TEXT, most)) / 3,
  )
})

describe.each(['zlib', 'brotli'] as const)('%s', (compression) => {
  const encoded = ENCODED[compression]

  test('given whole data, all of it comes out', () => {
    expect(decompressChannel(encoded, LIMIT)).toEqual(TEXT)
  })

  test('given any bytes, compression can be undone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(decompressChannel(compressChannel(bytes, compression), LIMIT)).toEqual(bytes)
      }),
      { seed: 2, numRuns: 50 },
    )
  })

  test('given data compressed aside, then it is the same bytes, and this thread went on before', async () => {
    let isDone = false
    const aside = compressChannelAside(TEXT, compression).finally(() => {
      isDone = true
    })
    // What this thread did by itself would be done after a few of these.
    for (let turn = 0; turn < 100; turn++) await undefined
    expect(isDone).toBe(false)
    expect(await aside).toEqual(compressChannel(TEXT, compression))
  })

  test('given more than the limit, exactly the first bytes up to it come out', () => {
    expect(decompressChannel(encoded, 12_345)).toEqual(TEXT.subarray(0, 12_345))
    expect(decompressChannel(encoded, TEXT.length)).toEqual(TEXT)
  })

  test('given a bomb, no more than the limit comes out', () => {
    const bomb = BOMB[compression]
    expect(bomb.length).toBeLessThan(100_000)
    expect(decompressChannel(bomb, LIMIT)).toEqual(new Uint8Array(LIMIT))
  })

  test('given data cut short, what it gives so far comes out', () => {
    const part = decompressChannel(encoded.subarray(0, encoded.length >> 1), LIMIT)
    expect(part.length).toBeGreaterThan(1_000)
    expect(part).toEqual(TEXT.subarray(0, part.length))
  })

  test('given a broken byte in the middle, a beginning of the text still comes out', () => {
    const broken = Uint8Array.from(encoded)
    broken.fill(0xff, encoded.length >> 1, (encoded.length >> 1) + 40)
    const part = decompressChannel(broken, LIMIT)
    const intact = encoded.length >> 2
    const expected = decompressChannel(encoded.subarray(0, intact), LIMIT)
    expect(expected.length).toBeGreaterThan(0)
    expect(part.subarray(0, expected.length)).toEqual(expected)
  })
})

test('given a wrong zlib checksum, the data before it still counts', () => {
  const broken = Uint8Array.from(ENCODED.zlib)
  broken[broken.length - 1]! ^= 1
  expect(decompressChannel(broken, LIMIT)).toEqual(TEXT)
})

test.each([
  ['nothing', new Uint8Array(0)],
  ['gzip', gzipSync(TEXT)],
  ['raw deflate', deflateRawSync(TEXT)],
  ['brotli of another version', concatBytes(Uint8Array.of(2), brotliCompressSync(TEXT))],
])('given %s, nothing comes out', (_name, data) => {
  expect(decompressChannel(data, LIMIT)).toHaveLength(0)
})

test('given any garbage, decompression ends without an error', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0x78, 0x01, 0x58),
      fc.uint8Array({ maxLength: 200 }),
      (first, rest) => {
        const output = decompressChannel(concatBytes(Uint8Array.of(first), rest), LIMIT)
        expect(output.length).toBeLessThanOrEqual(LIMIT)
      },
    ),
    { seed: 3 },
  )
})
