import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import { localKey } from '../oracle/preimage-key.ts'
import { verifiedOracle } from '../oracle/verified-oracle.ts'
import { loadBoot } from './boot.ts'

type Values = Record<number, `0x${string}`>

const required: Values = {
  1: `0x${'11'.repeat(32)}`,
  2: `0x${'22'.repeat(32)}`,
  3: `0x${'33'.repeat(32)}`,
  4: '0x00000000000003e8',
  5: '0x0000000000002105',
}
const optional: Values = {
  8: `0x${'88'.repeat(20)}`,
  9: '0x000000000000001e',
  10: '0x000000000000007b',
}

function load(values: Values) {
  const preimages = Object.entries(values).map(([identifier, value]) => ({
    key: localKey(Number(identifier)),
    value: hexToBytes(value),
  }))
  return loadBoot(verifiedOracle(preimages))
}

describe('loadBoot (PIPE-09..14)', () => {
  it('given all values, when loaded, then each is where its identifier says', async () => {
    expect(await load({ ...required, ...optional })).toEqual({
      l1Head: required[1],
      agreedOutputRoot: required[2],
      claimedOutputRoot: required[3],
      claimedBlockNumber: 1000n,
      chainId: 8453n,
      proposer: optional[8],
      intermediateBlockInterval: 30n,
      l1HeadNumber: 123n,
    })
  })

  it('given the required values only, when loaded, then the others are zero, and the L1 number is unknown', async () => {
    expect(await load(required)).toMatchObject({
      proposer: `0x${'00'.repeat(20)}`,
      intermediateBlockInterval: 0n,
      l1HeadNumber: undefined,
    })
  })

  it.each([1, 2, 3, 4, 5])('given no value %i, when loaded, then it fails', async (identifier) => {
    const { [identifier]: _, ...rest } = required
    await expect(load(rest)).rejects.toMatchObject({ code: 'PREIMAGE_MISSING' })
  })

  it.each([1, 2, 3, 4, 5, 8, 9, 10])(
    'given value %i with one byte too many, when loaded, then it fails',
    async (identifier) => {
      const all = { ...required, ...optional }
      await expect(load({ ...all, [identifier]: `${all[identifier]!}00` })).rejects.toMatchObject({
        code: 'BOOT_VALUE_MALFORMED',
      })
    },
  )
})
