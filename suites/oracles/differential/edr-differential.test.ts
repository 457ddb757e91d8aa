import { afterAll, test as anyTest, describe, expect } from 'vitest'
import { lane } from '#suites/lane'
import { holdEvidence } from '../evidence/evidence.ts'
import { executorDigest } from '../evidence/executor-digest.ts'
import { compareWithEdr } from './compare-with-edr.ts'

const test = anyTest.skipIf(!lane('clients').isInstalled)

const TRANSACTIONS_PER_BLOCK = 30
const BLOCKS_PER_SEED = 20

/** Size and first seed of a longer run, e.g. 50000 transactions. */
const transactions = Number(process.env.ROLLBED_EDR_TXS ?? 1_200)
const firstSeed = Number(process.env.ROLLBED_EDR_SEED ?? 1)
const seeds = Array.from(
  { length: Math.ceil(transactions / (TRANSACTIONS_PER_BLOCK * BLOCKS_PER_SEED)) },
  (_, index) => firstSeed + index,
)

const total = { blocks: 0, succeeded: 0, failed: 0, invalid: 0 }

describe("our executor and Hardhat's EDR (an OP chain at Isthmus)", () => {
  test.each(seeds)(
    'given the random blocks of seed %i, then receipts and state roots are the same',
    async (seed) => {
      const size = { blocks: BLOCKS_PER_SEED, transactions: TRANSACTIONS_PER_BLOCK }
      const report = await compareWithEdr(seed, size)
      expect(report.differences).toEqual([])
      expect(report.blocks).toBe(BLOCKS_PER_SEED)
      total.blocks += report.blocks
      total.succeeded += report.succeeded
      total.failed += report.failed
      total.invalid += report.invalid
      // The generator must not degenerate into blocks in which nothing happens.
      expect(report.succeeded).toBeGreaterThan(report.blocks * 10)
      expect(report.failed).toBeGreaterThan(report.blocks)
      expect(report.invalid).toBeGreaterThan(0)
    },
  )

  // Other seeds, and other sizes, give other counts; where a seed failed there is nothing to record.
  afterAll(() => {
    const isWhole = total.blocks === seeds.length * BLOCKS_PER_SEED
    if (process.env.ROLLBED_RECORD === undefined || !isWhole) return
    holdEvidence('edr-differential', {
      body: "Random blocks, also run by Hardhat's EDR (an OP chain at Isthmus)",
      source: 'npm: @nomicfoundation/edr',
      against: 'receipts, base fees and state roots of our executor',
      executor: executorDigest(),
      counts: {
        'equal blocks': total.blocks,
        'equal transactions that succeed': total.succeeded,
        'equal transactions that fail': total.failed,
        'transactions that both refuse': total.invalid,
      },
      leftOut: {},
    })
  })
})
