/** `node --import trace-hooks.ts reach-here.ts RUNS SEED` tells on standard output which drawn places each run comes to. */

import { playSeed } from './play-seed.ts'
import { takeCome } from './traced-source.ts'

const [runs, first] = process.argv.slice(2).map(Number)
const atLoad = takeCome()
for (let seed = first!; seed < first! + runs!; seed++) {
  await playSeed(seed)
  const ids = [...new Set([...atLoad, ...takeCome()])]
  process.stdout.write(`${JSON.stringify({ seed, ids })}\n`)
}
