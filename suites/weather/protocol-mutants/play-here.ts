/** `node --import mutant-hooks.ts play-here.ts RUNS SEED` tells on standard output how a swarm sees what is changed in this process. */

import { playSwarm } from '../swarm/play-swarm.ts'
import type { MutantWord } from './mutant-word.ts'
import { isReached } from './mutated-source.ts'
import { watchStill } from './watch-still.ts'

const [runs, seed] = process.argv.slice(2).map(Number)
const heard = watchStill()
const say = (word: MutantWord) => {
  heard()
  process.stdout.write(`${JSON.stringify(word)}\n`)
}
await playSwarm({
  runs: runs!,
  seed: seed!,
  shrink: false,
  progress: (played) => say({ played, isReached: isReached() }),
  found({ seed, violations, guilty }) {
    const [{ checker, problem } = { checker: '', problem: '' }] = violations
    say({ seed, checker, problem, ...(guilty && { guilty }) })
  },
})
