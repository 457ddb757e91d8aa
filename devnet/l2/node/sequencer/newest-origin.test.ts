import { expect, test } from 'vitest'
import { encodeL1Attributes } from '#protocol/derivation/l1-attributes'
import { newChain } from '#protocol/derivation/testing/scripted-chain'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { FetchL1Block } from './l1-prefetch.ts'
import { newestOrigin } from './newest-origin.ts'

const hashOf = (number: bigint, branch: string): Hash =>
  `0x${branch.repeat(62)}${number.toString(16).padStart(2, '0')}`
const origin = (number: bigint) => ({ number, hash: hashOf(number, 'a') })
const { config } = newChain()
const { systemConfig } = config.genesis

/** Blocks 1 to 6, two for each of L1's blocks 11 to 13; block 2 is final. */
const chain = {
  latest: () => blockAt(6n),
  finalized: () => blockAt(2n),
  blockByNumber: (number: bigint) => blockAt(number),
}

test.each<[string, { head: bigint; kept: bigint }, bigint]>([
  ['L1 has all of its blocks', { head: 20n, kept: 20n }, 13n],
  ['L1 dropped the newest', { head: 20n, kept: 12n }, 12n],
  ['L1 is only behind', { head: 12n, kept: 20n }, 13n],
  ['L1 is behind, and dropped what it does not show yet', { head: 12n, kept: 12n }, 13n],
  ['L1 dropped all that were not final', { head: 20n, kept: 11n }, 11n],
])(
  'given a chain on L1 block 13, when %s, then it goes on from the newest block that L1 did not drop',
  async (_name, l1, expected) => {
    const asked: bigint[] = []
    const fetchBlock = (async (number) => {
      asked.push(number)
      const hash = hashOf(number, number > l1.kept ? 'b' : 'a')
      return number > l1.head ? undefined : { header: { hash } }
    }) as FetchL1Block
    const found = await newestOrigin(chain, config, fetchBlock, AbortSignal.timeout(5_000))
    expect(found).toEqual(origin(expected))
    expect(new Set(asked).size).toBe(asked.length)
  },
)

function blockAt(number: bigint): Block {
  const l1 = { ...origin(10n + (number + 1n) / 2n), timestamp: 0n, baseFee: 1n, blobBaseFee: 1n }
  const raw = encodeL1Attributes({ fork: 'jovian', l1, sequenceNumber: 0n, systemConfig })
  // OP spec, Jovian: version 1, denominator 50, elasticity 6, no minimum base fee.
  const header = { number, timestamp: 0n, extraData: '0x0100000032000000060000000000000000' }
  return {
    hash: hashOf(number, 'c'),
    header,
    transactions: [decodeTransaction(raw)],
  } as unknown as Block
}
