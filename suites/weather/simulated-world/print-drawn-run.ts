/** `node print-drawn-run.ts SEED` prints the events of the run that a swarm draws of this seed. */

import { playIn } from '../swarm/play-in.ts'
import { playSwarm } from '../swarm/play-swarm.ts'

const [seed = '0'] = process.argv.slice(2)
await playSwarm({
  ...{ runs: 1, seed: Number(seed), shrink: false },
  async play(planned, planFor) {
    const run = await playIn()(planned, planFor)
    process.stdout.write(run.ndjson)
    return run
  },
})
