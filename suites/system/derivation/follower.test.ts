import { expect, test } from 'vitest'
import { runWorld } from './run-world.ts'

const BLOCKS = BigInt(process.env.ROLLBED_DERIVATION_BLOCKS ?? 100)
const SEEDS = (process.env.ROLLBED_DERIVATION_SEEDS ?? '4').split(',').map(Number)

test.each(SEEDS)(
  'given seed %s, when everything goes wrong on L1, then the follower has the sequencer’s chain, block for block',
  { timeout: 240_000 + 1_000 * Number(BLOCKS) },
  async (seed) => {
    const run = await runWorld(seed, BLOCKS)
    expect(run.violations).toEqual([])
    expect(run.followed.length).toBeGreaterThan(Number(BLOCKS))
    expect(run.followed).toEqual(run.sequenced)
    // Whoever saw no reorg has the same chain as who saw all of them.
    expect(run.derivedLate).toEqual(run.followed)
    expect(run.userTransactions).toBeGreaterThan(0)
    expect(run.counts.reorgs).toBeGreaterThan(0)
    expect(run.counts.removed).toBeGreaterThan(0)
  },
)
