import { bytesToHex, concatHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { gasPriceOracleAbi } from '#fixtures/contracts/GasPriceOracle.abi'
import { fastLzSize } from '#protocol/execution/fastlz-size'
import { randomInt, seededRng } from '#protocol/random/rng'
import { attributes, attributesCalldata, depositor } from './l1-attributes.ts'
import { type PredeployChain, startPredeployChain } from './predeploy-chain.ts'
import { revertOf } from './revert-of.ts'

const oracle = { address: predeploys.gasPriceOracle, abi: gasPriceOracleAbi } as const

let jovian: PredeployChain
let isthmus: PredeployChain

beforeAll(async () => {
  ;[jovian, isthmus] = await Promise.all([
    startPredeployChain('jovian'),
    startPredeployChain('isthmus'),
  ])
  await jovian.sendAs(depositor, predeploys.l1Block, attributesCalldata('jovian'))
  await isthmus.sendAs(depositor, predeploys.l1Block, attributesCalldata('isthmus'))
})

afterAll(() => Promise.all([jovian.stop(), isthmus.stop()]))

const l1Fee = (data: Hex) =>
  jovian.client.readContract({ ...oracle, functionName: 'getL1Fee', args: [data] })

/** A mainnet transaction whose FastLZ length, 202, is published with several implementations. */
const contractCall: Hex = concatHex([
  '0x02f901550a758302df1483be21b88304743f94f80e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8',
  '0xe41ef24f3f000000000000000000000000000000000000000000000000000000000000006e000000000000000000000000',
  '0xaf88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000003c1e5',
  `0x${'00'.repeat(32)}`,
  '0x00000000000000000000000000000000000000000000000000000000000000a0',
  '0x00000000000000000000000000000000000000000000000000000000000000148c89ed219d02f1a5be012c689b4f5b731827bebe',
  '0x000000000000000000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a3675a7f5f493ebd5ad77c497f8a0',
  '0x7cdf65680e238392693019b4092f610222e71b7cec06449cb922b93b6a12744e',
])

describe('GasPriceOracle.getL1Fee', () => {
  // By hand (OP spec, Fjord): size = max(100e6, 836,500 * (FastLZ + 68) - 42,585,600), times
  // 16 * 1e9 * 1368 + 1 * 810,949 = 21,888,000,810,949, over 1e12.
  test.each<[string, Hex, bigint]>([
    ['nothing: the minimum of 100 bytes', '0x', 2_188_800_081n],
    [
      '1000 zeros, which compress to 21 bytes: the minimum',
      `0x${'00'.repeat(1000)}`,
      2_188_800_081n,
    ],
    ['a contract call of 202 compressed bytes', contractCall, 4_011_400_775n],
    [
      'the 256 different bytes, which grow to 264',
      bytesToHex(Uint8Array.from({ length: 256 }, (_, index) => index)),
      5_146_578_161n,
    ],
  ])('given %s, then it is the hand-computed fee', async (_, data, fee) => {
    expect(await l1Fee(data)).toBe(fee)
  })

  async function expectAgreement(data: Hex, about: string) {
    const flz = BigInt(fastLzSize(Buffer.from(data.slice(2), 'hex'))) + 68n
    const estimated = 836_500n * flz - 42_585_600n
    const size = estimated < 100_000_000n ? 100_000_000n : estimated
    expect(await l1Fee(data), about).toBe((size * 21_888_000_810_949n) / 10n ** 12n)
  }

  test('given 60 random inputs (seed 7), then it agrees with the executor on their size', async () => {
    const rng = seededRng(7)
    for (let round = 0; round < 60; round++) {
      // Few different bytes and repeated parts make matches of all lengths and distances.
      const part = rng.bytes(randomInt(rng, 300)).map((byte) => byte % (2 + (round % 40)))
      const parts = [part, rng.bytes(randomInt(rng, 40)), part, rng.bytes(randomInt(rng, 20))]
      await expectAgreement(concatHex(parts.map((bytes) => bytesToHex(bytes))), `round ${round}`)
    }
  })

  test('given a match at the very end, or as far back as one may be, then it agrees too', async () => {
    const rng = seededRng(8)
    const [part, between] = [rng.bytes(200), rng.bytes(8200)]
    const join = (...parts: Uint8Array[]) => concatHex(parts.map((bytes) => bytesToHex(bytes)))
    for (let tail = 8; tail < 24; tail++) {
      await expectAgreement(join(part, part.subarray(0, tail)), `tail of ${tail} bytes`)
    }
    for (let distance = 8189; distance < 8195; distance++) {
      const filler = between.subarray(0, distance - part.length)
      await expectAgreement(join(part, filler, part), `distance of ${distance} bytes`)
    }
  })

  test('given an upper bound for a size, then no data of that size costs more', async () => {
    const bound = await jovian.client.readContract({
      ...oracle,
      functionName: 'getL1FeeUpperBound',
      args: [256n],
    })
    const noise = bytesToHex(seededRng(1).bytes(256))
    expect(bound).toBeGreaterThanOrEqual(await l1Fee(noise))
  })
})

describe('GasPriceOracle.getOperatorFee', () => {
  const gas = 1_000_000n
  const fee = (chain: PredeployChain) =>
    chain.client.readContract({ ...oracle, functionName: 'getOperatorFee', args: [gas] })
  const scalar = BigInt(attributes.operatorFeeScalar)

  test('given Isthmus, then it is gas * scalar / 1e6 + constant', async () => {
    expect(await fee(isthmus)).toBe(scalar + attributes.operatorFeeConstant)
  })

  test('given Jovian, then it is gas * scalar * 100 + constant', async () => {
    expect(await fee(jovian)).toBe(gas * scalar * 100n + attributes.operatorFeeConstant)
  })
})

test('given a fork, then the oracle names it and all before it', async () => {
  const names = ['isEcotone', 'isFjord', 'isIsthmus', 'isJovian'] as const
  const flags = (chain: PredeployChain) =>
    Promise.all(names.map((functionName) => chain.client.readContract({ ...oracle, functionName })))
  expect(await flags(jovian)).toEqual([true, true, true, true])
  expect(await flags(isthmus)).toEqual([true, true, true, false])
})

test('given an activation, then only the depositor may, and each fork once', async () => {
  const call = { ...oracle, functionName: 'setJovian', args: [] } as const
  expect(await revertOf(isthmus.client, userKeys[0]!.address, call)).toBe('NotDepositor()')
  expect(await revertOf(isthmus.client, depositor, call)).toBeUndefined()
  expect(await revertOf(jovian.client, depositor, call)).toBe('AlreadyActive()')
})
