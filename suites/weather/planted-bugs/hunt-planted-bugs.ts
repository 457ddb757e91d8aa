import { Command } from 'commander'
import { wholeNumber } from '#suites/number-flags'
import { findPlantedBug } from './find-planted-bug.ts'
import { plantedBugs } from './planted-bugs.ts'

/** Runs in which a swarm has to find each. */
const RUNS = 200

const [names, seed] = new Command('npm run planted-bugs --')
  .description('Tells which run of a swarm finds which planted bug, and the least plan.')
  .argument('[names]', 'with commas between; all of them unless told')
  .argument('[seed]', 'of the swarms', wholeNumber, 0)
  .parse().processedArgs as [string | undefined, number]
const tell = (line: string) => void process.stdout.write(`${line}\n`)
for (const bug of plantedBugs.filter(({ name }) => !names || names.split(',').includes(name))) {
  const { played, failures } = await findPlantedBug(bug, { runs: RUNS, seed })
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
