import { playSwarm } from '#suites/weather/swarm/play-swarm'
import type { BenchResult } from './measurement.ts'

/** V8 compiles what is hot while these are played. */
const FIRST = 10
const NEXT = 60

/** What a run of `rollbed fault swarm` costs, at the start of a swarm and later. */
export async function benchSwarm(): Promise<BenchResult> {
  return {
    title: 'A run of a swarm',
    note: `CPU of one process and its threads, for each run: the first ${FIRST}, and the ${NEXT} after them. Nothing may break in any.`,
    rows: [
      { what: `first ${FIRST} runs`, values: { 'CPU s': await cpuOfRuns(0, FIRST) } },
      { what: `next ${NEXT} runs`, values: { 'CPU s': await cpuOfRuns(FIRST, NEXT) } },
    ],
  }
}

/** Seconds. */
async function cpuOfRuns(seed: number, runs: number): Promise<number> {
  const before = process.cpuUsage()
  const { played, failures } = await playSwarm({ runs, seed, shrink: false })
  const { user, system } = process.cpuUsage(before)
  if (played !== runs || failures.length > 0)
    throw new Error(`Of ${runs} runs from seed ${seed} ${played} ended, ${failures.length} broken.`)
  return (user + system) / 1e6 / runs
}
