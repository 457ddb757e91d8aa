import { expect } from 'vitest'
import { playSwarm } from './play-swarm.ts'

/** Runs in all shards together. A longer swarm: ROLLBED_SWARM_RUNS=2000. */
const RUNS = Number(process.env.ROLLBED_SWARM_RUNS ?? 70)
const SHARDS = 3
const SEED = 1_000

/** Milliseconds that a shard may take on a machine that is busy. */
export const SHARD_LIMIT = 60_000 + RUNS * 10_000

/** Plays one of the shards of a swarm, each in a test file of its own: vitest's workers share them. */
export async function expectCleanShard(index: number): Promise<void> {
  const shard = { index, of: SHARDS }
  const { played, failures } = await playSwarm({
    ...{ runs: RUNS, seed: SEED, shard, shrink: false, goOn: true },
  })
  const broken = failures.map(({ plan, violations }) => ({
    plan: JSON.stringify(plan),
    violations,
  }))
  expect(broken).toEqual([])
  expect(played).toBeGreaterThanOrEqual(Math.floor(RUNS / SHARDS))
}
