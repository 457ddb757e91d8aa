import { describe, expect, test } from 'vitest'
import { compareSeed } from './compare-seed.ts'

const TRANSACTIONS_PER_BLOCK = 30
const BLOCKS_PER_SEED = 20

/** Size and first seed of a longer run, e.g. 50000 transactions. */
const transactions = Number(process.env.ROLLBED_DIFFERENTIAL_TXS ?? 1_800)
const firstSeed = Number(process.env.ROLLBED_DIFFERENTIAL_SEED ?? 1)
const seeds = Array.from(
  { length: Math.ceil(transactions / (TRANSACTIONS_PER_BLOCK * BLOCKS_PER_SEED)) },
  (_, index) => firstSeed + index,
)

describe('our executor and anvil (op-revm, Isthmus)', () => {
  test.each(seeds)(
    'given the random blocks of seed %i, then receipts and state are the same',
    { timeout: 240_000 },
    async (seed) => {
      const report = await compareSeed(seed, {
        blocks: BLOCKS_PER_SEED,
        transactions: TRANSACTIONS_PER_BLOCK,
        rootEvery: 5,
      })
      expect(report.differences).toEqual([])
      // The generator must not degenerate into blocks in which nothing happens.
      expect(report.succeeded).toBeGreaterThan(report.blocks * 10)
      expect(report.failed).toBeGreaterThan(report.blocks)
      expect(report.invalid).toBeGreaterThan(0)
    },
  )
})
