import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import type { Header } from '../types/block.ts'
import type { Fork } from '../types/execution-config.ts'
import { decodeExtraData, encodeExtraData } from './extra-data.ts'
import { fastLzSize } from './fastlz-size.ts'
import { l1FeeFields, operatorFee } from './l1-fee.ts'
import { nextBaseFee } from './next-base-fee.ts'
import { openTestBlock } from './test-block.ts'

describe('nextBaseFee', () => {
  // Gas limit 30 M, elasticity 6: the target is 5 M. Denominator 250. By hand from EIP-1559.
  test.each<[string, Fork, Partial<Header>, bigint]>([
    ['the target used', 'jovian', { gasUsed: 5_000_000n }, 1_000_000_000n],
    ['twice the target used', 'jovian', { gasUsed: 10_000_000n }, 1_004_000_000n],
    ['nothing used', 'jovian', { gasUsed: 0n }, 996_000_000n],
    [
      'a footprint above the gas under Jovian',
      'jovian',
      { gasUsed: 1_000_000n, blobGasUsed: 10_000_000n },
      1_004_000_000n,
    ],
    [
      'a footprint below the gas under Jovian',
      'jovian',
      { gasUsed: 10_000_000n, blobGasUsed: 1n },
      1_004_000_000n,
    ],
    [
      'a footprint under Isthmus',
      'isthmus',
      { gasUsed: 1_000_000n, blobGasUsed: 10_000_000n },
      996_800_000n,
    ],
    ['a rise below one wei', 'jovian', { gasUsed: 5_000_001n, baseFeePerGas: 7n }, 8n],
  ])('given %s (%s)', async (_, fork, changes, expected) => {
    const { genesis } = await openTestBlock({}, { fork })
    expect(nextBaseFee({ ...genesis.header, ...changes }, fork)).toBe(expected)
  })

  test('given a minimum above the result, then the minimum holds (OP spec, Jovian)', async () => {
    const { genesis } = await openTestBlock({})
    const extraData = encodeExtraData(
      { denominator: 250, elasticity: 6, minBaseFee: 2_000_000_000n },
      'jovian',
    )
    expect(nextBaseFee({ ...genesis.header, extraData }, 'jovian')).toBe(2_000_000_000n)
  })
})

describe('extraData', () => {
  test.each<[Fork, string]>([
    ['isthmus', '0x000000003200000006'],
    ['jovian', '0x01000000320000000600000000000f4240'],
  ])('given %s, then it is laid out as the OP spec says', (fork, hex) => {
    const parameters = { denominator: 50, elasticity: 6, minBaseFee: 1_000_000n }
    expect(encodeExtraData(parameters, fork)).toBe(hex)
    const minBaseFee = fork === 'jovian' ? 1_000_000n : 0n
    expect(decodeExtraData(hex as Header['extraData'], fork)).toEqual({ ...parameters, minBaseFee })
  })

  test('given parameters of 0, then the constants of Canyon are written (OP spec, Holocene)', () => {
    const zero = { denominator: 0, elasticity: 0, minBaseFee: 0n }
    expect(encodeExtraData(zero, 'isthmus')).toBe('0x00000000fa00000006')
  })

  test.each<[string, Fork, Header['extraData']]>([
    ['nothing', 'isthmus', '0x'],
    ['the other fork', 'jovian', '0x00000000fa00000006'],
    ['a byte too many', 'isthmus', '0x00000000fa0000000600'],
    ['a denominator of 0', 'isthmus', '0x000000000000000006'],
  ])('given %s, then it is refused', (_, fork, extraData) => {
    expect(() => decodeExtraData(extraData, fork)).toThrow(
      expect.objectContaining({ code: 'EXTRA_DATA_MALFORMED' }),
    )
  })
})

/** A contract call that op-geth, op-revm and the OP spec all size with FastLZ at 202 bytes. */
const CONTRACT_CALL = hexToBytes(
  '0x02f901550a758302df1483be21b88304743f94f80e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8e41ef24f3f000000000000000000000000000000000000000000000000000000000000006e000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000003c1e5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000148c89ed219d02f1a5be012c689b4f5b731827bebe000000000000000000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a3675a7f5f493ebd5ad77c497f8a07cdf65680e238392693019b4092f610222e71b7cec06449cb922b93b6a12744e',
)

describe('the L1 fee', () => {
  test.each([
    ['nothing', new Uint8Array(0), 0],
    ['three bytes', hexToBytes('0xfacade'), 4],
    ['1000 zeros', new Uint8Array(1000), 21],
    ['1000 ones', new Uint8Array(1000).fill(1), 21],
    ['a contract call', CONTRACT_CALL, 202],
  ])('given %s, then FastLZ would need as much as op-revm says', (_, data, size) => {
    expect(fastLzSize(data)).toBe(size)
  })

  const parameters = {
    l1GasPrice: 1_000_000_000n,
    l1BlobBaseFee: 10_000_000n,
    l1BaseFeeScalar: 2n,
    l1BlobBaseFeeScalar: 3n,
    operatorFeeScalar: 1_439_103_868n,
    operatorFeeConstant: 1_256_417_826_609_331_460n,
    daFootprintGasScalar: 400n,
  }

  test('given a contract call, then size, fee and footprint follow the formulas of Fjord and Jovian', () => {
    // −42,585,600 + 836,500 × 202 = 126,387,400 millionths of a byte;
    // × (16 × 2 × 10⁹ + 3 × 10⁷) / 10¹² = 4,048,188.4 wei; × 16 / 10⁶ = 2,022.2 gas; 126 × 400.
    expect(l1FeeFields(CONTRACT_CALL, parameters)).toMatchObject({
      l1Fee: 4_048_188n,
      l1GasUsed: 2_022n,
      daFootprint: 50_400n,
    })
  })

  test('given large operator parameters, then the fee is as the OP spec has it for each fork', () => {
    // 1,650 × 1,439,103,868 / 10⁶ = 2,374,521.4; × 100 = 237,452,138,220,000.
    const constant = 1_256_417_826_609_331_460n
    expect(operatorFee(1_650n, parameters, 'isthmus')).toBe(2_374_521n + constant)
    expect(operatorFee(1_650n, parameters, 'jovian')).toBe(237_452_138_220_000n + constant)
  })
})
