import { playSwarm, type SwarmFailure } from '../swarm/play-swarm.ts'

/** A seed by itself: a swarm draws by what it met before, and here each seed is played without the others. */
export async function playSeed(seed: number): Promise<SwarmFailure | undefined> {
  const { failures } = await playSwarm({ runs: 1, seed, shrink: false })
  return failures[0]
}
