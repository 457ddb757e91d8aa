/** `node --import mutant-hooks.ts play-here.ts SEED…` tells on standard output how runs see what is changed in this process. */

import type { MutantWord } from './mutant-word.ts'
import { isReached } from './mutated-source.ts'
import { playSeed } from './play-seed.ts'
import { watchStill } from './watch-still.ts'

const heard = watchStill()
const say = (word: MutantWord) => {
  heard()
  process.stdout.write(`${JSON.stringify(word)}\n`)
}
for (const [index, seed] of process.argv.slice(2).map(Number).entries()) {
  const failure = await playSeed(seed)
  say({ played: index + 1, isReached: isReached() })
  if (!failure) continue
  const [{ checker, problem } = { checker: '', problem: '' }] = failure.violations
  const { guilty } = failure
  say({ seed, checker, problem, ...(guilty && { guilty }) })
  break
}
