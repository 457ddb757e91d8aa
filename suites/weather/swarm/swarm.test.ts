import { describe, expect, test } from 'vitest'
import { againBy } from '../again-by.ts'
import { drawnBy, drawSeed } from '../drawn-by.ts'
import { playSwarm } from './play-swarm.ts'

/** A longer swarm: ROLLBED_SWARM_RUNS=2000. */
const RUNS = Number(process.env.ROLLBED_SWARM_RUNS ?? 12)
/** Milliseconds that it may take on a machine that is busy. */
const LIMIT = 60_000 + RUNS * 10_000

describe(`the swarm that ROLLBED_DRAW=${drawnBy} draws`, () => {
  test('given random faults, then no run breaks what must hold', { timeout: LIMIT }, async () => {
    const seed = drawSeed(drawnBy)
    const { played, failures } = await playSwarm({ runs: RUNS, seed, shrink: false, goOn: true })
    const broken = failures.map(({ plan, violations }) => ({
      again: againBy(plan, 'simulated'),
      violations,
    }))
    expect(broken).toEqual([])
    expect(played).toBe(RUNS)
  })
})
