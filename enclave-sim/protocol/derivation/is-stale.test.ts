import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { BatchContext } from './batch-validity.ts'
import { checkSpanBatch } from './check-span-batch.ts'
import { isStale } from './is-stale.ts'

const hash = (number: number) => numberToHex(number, { size: 32 })

// base/base rollup.rs: genesis at 10 s and Denim at 15 s make block 3 the first of 200 ms; 3 to 7 bear 16 s.
const config = {
  genesis: { l2: { number: 0 }, l2Time: 10 },
  ...{ blockTime: 2, upgrades: { denim: 15 }, maxSequencerDrift: 100, sequencerWindowSize: 20 },
}
const head = (number: number, timestamp: bigint) => ({
  config,
  parent: {
    number: BigInt(number),
    hash: hash(number),
    timestamp,
    l1Origin: { number: 0n, hash: hash(0) },
  },
  ancestor: async (number: bigint) => ({ hash: hash(Number(number)), l1OriginNumber: 0n }),
})
const batch = (timestamp: bigint, parent: number) => ({ timestamp, parentHash: hash(parent) })

// base/base #4783: up to five blocks of the same second are looked at.
test.each([
  ['a copy of the block before', 5, 16n, batch(16n, 4), true],
  ['a copy of the first of the second', 6, 16n, batch(16n, 2), true],
  ['a copy of a block of the second before', 9, 17n, batch(17n, 6), false],
  ['the next block', 5, 16n, batch(16n, 5), false],
  ['a block on a parent that nobody has', 5, 16n, batch(16n, 99), false],
  ['the first of a second on an older parent', 7, 16n, batch(17n, 6), false],
  ['a block of two seconds on an older parent', 1, 12n, batch(14n, 0), false],
])(
  'given %s, then whether it is stale is so',
  async (_name, number, timestamp, candidate, stale) => {
    expect(await isStale(candidate, head(number, timestamp))).toBe(stale)
  },
)

const l1Block = (number: bigint) => ({ number, hash: hash(Number(number)), timestamp: 10n })
const span = (start: bigint, blocks: number) => ({
  relativeTimestamp: start - 10n,
  l1OriginNumber: 0n,
  parentCheck: new Uint8Array(20),
  l1OriginCheck: new Uint8Array(20),
  blocks: Array.from({ length: blocks }, () => ({ originChanged: false, transactions: [] })),
})

// base/base #4583, #4636.
test.each([
  ['of blocks before, up to the head', 2, 14n, span(12n, 2), 'past'],
  ['that begins before the boundary and crosses it', 1, 12n, span(14n, 2), 'accept'],
  ['whose blocks before the boundary are there', 2, 14n, span(14n, 2), 'drop'],
  ['of blocks of 200 ms', 3, 16n, span(16n, 5), 'drop'],
])(
  'given a span %s, then it is judged %s',
  async (_name, number, timestamp, candidate, validity) => {
    const { parent, ancestor } = head(number, timestamp)
    const context: BatchContext = {
      ...{ config, parent, l1Block, epoch: l1Block(0n), inclusionNumber: 1n },
    }
    expect(await checkSpanBatch(candidate, { ...context, l2GenesisTime: 10n, ancestor })).toBe(
      validity,
    )
  },
)
