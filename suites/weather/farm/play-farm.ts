import type { Clock } from '#protocol/clock/clock'
import type { Corpus } from '../corpus/corpus.ts'
import { playSwarm, type SwarmOptions, type SwarmResult } from '../swarm/play-swarm.ts'

export interface FarmOptions
  extends Pick<SwarmOptions, 'shard' | 'open' | 'play' | 'progress' | 'found'> {
  corpus: Corpus
  clock: Clock
  /** CPU that this process has used until now; milliseconds. */
  cpu(): number
  /** Milliseconds in which runs begin; the last one and its shrinking are brought to their end. */
  lasts?: number
  /** Runs that are drawn, in all shards together. Default: as many as there is time for. */
  runs?: number
  /** Of the first run that is drawn. */
  seed: number
}

export interface FarmResult extends SwarmResult {
  /** Milliseconds of CPU, shrinking and known failures with it. */
  cpu: number
  /** Plays of any kind in an hour of CPU. */
  playsPerCpuHour: number
}

/** Plays what is known, the oldest first, and then what nobody drew before, until its time is over. */
export async function playFarm(options: FarmOptions): Promise<FarmResult> {
  const { clock, cpu, lasts = Number.POSITIVE_INFINITY, runs, ...rest } = options
  const [began, used] = [clock.now(), cpu()]
  const result = await playSwarm({
    ...rest,
    runs: runs ?? Number.POSITIVE_INFINITY,
    goOn: true,
    isOver: () => clock.now() - began >= lasts,
  })
  const spent = cpu() - used
  const shrinking = result.failures.reduce((sum, { shrunk }) => sum + (shrunk?.plays ?? 0), 0)
  const plays = result.played + result.again + shrinking
  return { ...result, cpu: spent, playsPerCpuHour: (plays / Math.max(1, spent)) * 3_600_000 }
}
