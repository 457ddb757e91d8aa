import { describe, expect, test } from 'vitest'
import { againBy } from '../again-by.ts'
import { drawCount, drawnBy, drawSeed } from '../drawn-by.ts'
import { playSwarm, type SwarmFailure } from './play-swarm.ts'

/** A longer swarm, of seeds that nobody has played: ROLLBED_SWARM_RUNS=2000. */
const LONG = process.env.ROLLBED_SWARM_RUNS
/** A hundred seeds that were clean: a commit is held to what held before it, and looking for more is the night's. */
const CLEAN = { first: 70_000, count: 100 }
const RUNS = Number(LONG ?? drawCount(drawnBy, CLEAN.count, 6 / 100))
/** Milliseconds that it may take on a machine that is busy. */
const LIMIT = 240_000 + RUNS * 10_000

describe(`the swarm that ROLLBED_DRAW=${drawnBy} draws`, () => {
  test('given random faults, then no run breaks what must hold', { timeout: LIMIT }, async () => {
    const drawn = drawSeed(drawnBy)
    const failures = LONG
      ? await failuresOf(drawn, RUNS)
      : await eachByItself(CLEAN.first + (drawn % (CLEAN.count - RUNS + 1)))
    const broken = failures.map(({ plan, violations }) => ({
      again: againBy(plan, 'simulated'),
      violations,
    }))
    expect(broken).toEqual([])
  })
})

async function failuresOf(seed: number, runs: number): Promise<SwarmFailure[]> {
  const { played, failures } = await playSwarm({ runs, seed, shrink: false, goOn: true })
  expect(played).toBe(runs)
  return failures
}

/** What a swarm draws hangs on what it met before: a seed is as it was only where it is the first. */
async function eachByItself(first: number): Promise<SwarmFailure[]> {
  const failures: SwarmFailure[] = []
  for (let seed = first; seed < first + RUNS; seed++) failures.push(...(await failuresOf(seed, 1)))
  return failures
}
