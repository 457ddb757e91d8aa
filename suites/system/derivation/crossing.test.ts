import { expect, test } from 'vitest'
import { runWorld } from './run-world.ts'

/** Seconds from genesis to Denim; in the middle of the L1 reorgs, and of a slot of the old grid. */
const DENIM = 41
const BLOCKS = 150n

test('when L1 goes wrong before, at and after the first block of 200 ms and drops what it stands on, then the follower has the sequencer’s chain, block for block', async () => {
  const run = await runWorld(13, BLOCKS, {
    upgrades: { azul: 'genesis', denim: `+${DENIM}s` },
    reorgAt: 24n,
  })
  expect(run.violations).toEqual([])
  expect(run.followed.length).toBeGreaterThan(Number(BLOCKS))
  expect(run.followed).toEqual(run.sequenced)
  expect(run.derivedLate).toEqual(run.followed)
  expect(run.userTransactions).toBeGreaterThan(0)
  expect(run.counts.reorgs).toBeGreaterThan(0)
  expect([...run.removed]).toEqual(expect.arrayContaining([21, 22, 23]))
  // base/base: the first slot of 2 s at or after the time, and from there every 200 ms.
  expect(run.times.slice(0, 23)).toEqual([
    ...Array.from({ length: 22 }, (_, number) => number * 2_000),
    42_200,
  ])
  expect(run.times.at(-1)).toBe(42_000 + 200 * (run.times.length - 22))
})

test('given Denim from genesis, when L1 goes wrong, then the follower has the sequencer’s chain, block for block', async () => {
  const run = await runWorld(14, 60n, { upgrades: { azul: 'genesis', denim: 'genesis' } })
  expect(run.violations).toEqual([])
  expect(run.followed).toEqual(run.sequenced)
  expect(run.derivedLate).toEqual(run.followed)
  expect(run.times.slice(0, 7)).toEqual([0, 200, 400, 600, 800, 1_000, 1_200])
})
