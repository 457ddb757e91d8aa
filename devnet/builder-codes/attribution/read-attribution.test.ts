import { hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codesOf, readAttribution } from './read-attribution.ts'

const M = '80218021802180218021802180218021'
const bytes = (hex: string) => hexToBytes(`0x${hex}`)
const TRANSFER = `a9059cbb${'00'.repeat(12)}${'11'.repeat(20)}${'00'.repeat(31)}05`

/** Suffixes printed by an independent encoder (ox 0.14.45), gas counted by hand. */
const vectors: [name: string, suffix: string, codes: string[], size: number][] = [
  ['schema 0, one code', `62635f61316232633364340b00${M}`, ['bc_a1b2c3d4'], 29],
  ['schema 0, two codes', `626173656170702c6d6f7270686f0e00${M}`, ['baseapp', 'morpho'], 32],
  ['schema 0, no codes', `0000${M}`, [], 18],
  [
    'schema 1',
    `${'cc'.repeat(20)}210502626173656170702c6d6f7270686f0e01${M}`,
    ['baseapp', 'morpho'],
    55,
  ],
  ['schema 2, app', `a161616762617365617070000b02${M}`, ['baseapp'], 30],
  [
    'schema 2, app and wallet',
    `a261616b62635f61316232633364346177657072697679001702${M}`,
    ['bc_a1b2c3d4', 'privy'],
    42,
  ],
]

describe('readAttribution', () => {
  test.each(vectors)(
    'given %s, then it is read, with and without calldata before it (ATTR-03)',
    (...vector) => {
      const [, suffix, codes, size] = vector
      for (const calldata of [suffix, TRANSFER + suffix]) {
        const read = readAttribution(bytes(calldata))
        expect(read && codesOf(read.attribution)).toEqual(codes)
        expect(read?.size).toBe(size)
      }
    },
  )

  test('given a schema-0 suffix, then it costs 16 per byte and 4 for its one zero byte (ATTR-07)', () => {
    const read = readAttribution(bytes(`62635f61316232633364340b00${M}`))
    expect(read?.gas).toEqual({ intrinsic: 28n * 16n + 4n, floor: 28n * 40n + 10n })
  })

  test.each([
    ['no marker', TRANSFER],
    ['the marker in the middle (ATTR-06)', `${M}${TRANSFER}`],
    ['an unknown schema', `ddddddddff${M}`],
    ['a code length beyond the data', `6262ff00${M}`],
    ['a registry beyond the data', `210502${'62'.repeat(3)}0301${M}`],
    ['a CBOR length beyond the data', `a1616162ffff02${M}`],
    ['malformed CBOR', `ffffff000302${M}`],
    ['a list in CBOR where a code is expected', `a1617381816178000702${M}`],
    ['a code that is not ASCII', `c3a90200${M}`],
    ['only the marker', M],
    ['nothing', ''],
  ])('given %s, then it carries no attribution', (_name, calldata) => {
    expect(readAttribution(bytes(calldata))).toBeUndefined()
  })

  test('given arbitrary bytes before the marker, then nothing is thrown and no more claimed than is there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(3), (prefix, schema) => {
        const calldata = Uint8Array.of(...prefix, schema, ...bytes(M))
        const read = readAttribution(calldata)
        expect(read?.size ?? 0).toBeLessThanOrEqual(calldata.length)
        expect(() => JSON.stringify(read?.attribution)).not.toThrow()
      }),
      { seed: 8021, numRuns: 2000 },
    )
  })
})
