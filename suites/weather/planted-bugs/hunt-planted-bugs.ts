import { findPlantedBug } from './find-planted-bug.ts'
import { plantedBugs } from './planted-bugs.ts'

/** Runs in which a swarm has to find each. */
const RUNS = 200

// `npm run planted-bugs [-- NAME,… [SEED]]`: which run of a swarm finds which bug, and the least plan.
const [names, seed = '0'] = process.argv.slice(2)
const tell = (line: string) => void process.stdout.write(`${line}\n`)
for (const bug of plantedBugs.filter(({ name }) => !names || names.split(',').includes(name))) {
  const { played, failures } = await findPlantedBug(bug, { runs: RUNS, seed: Number(seed) })
  const [found] = failures
  if (!found?.shrunk) {
    tell(`${bug.name}: not found in ${played} runs`)
    process.exitCode = 1
    continue
  }
  const { plan, plays } = found.shrunk
  const by = [...new Set(found.violations.map(({ checker }) => checker))].join(', ')
  tell(`${bug.name}: run ${played} (seed ${found.seed}), by ${by}`)
  tell(`  in ${plays} plays ${found.plan.faults.length} to ${plan.faults.length} faults`)
  tell(`  ${JSON.stringify(plan)}`)
}
