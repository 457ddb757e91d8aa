import { Command } from 'commander'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { wholeNumber } from '#suites/number-flags'
import { runWeather } from '../run-weather.ts'
import type { PlayRun } from '../swarm/play-run.ts'
import { playSwarm } from '../swarm/play-swarm.ts'
import { type BugInARow, bugsInARow } from './bugs-in-a-row.ts'

/** Futures of each run that came to something first. */
const FUTURES = 20

const [name, runs, seeds] = new Command('npm run bugs-in-a-row --')
  .description(
    'Tells by which run of a swarm each bug is found that takes two rare things in a row, with branches and without, in worlds that have only what the bug needs.',
  )
  .argument('[name]', 'a part of the names; all of them unless told', '')
  .argument('[runs]', 'at the most', wholeNumber, 400)
  .argument('[seed...]', 'of the swarms', ['1'])
  .parse().processedArgs as [string, number, string[]]
for (const bug of bugsInARow.filter((each) => each.name.includes(name))) {
  for (const seed of seeds.map(Number))
    for (const explore of [FUTURES, 0]) {
      const { played, failures } = await playSwarm({
        ...{ runs, seed, explore, shrink: false, world: {}, play: playWith(bug) },
      })
      const [found] = failures
      const by = found
        ? `found in run ${played}${found.isBranch ? ', a branch' : ''}, by ${found.violations[0]!.checker}: ${found.violations[0]!.problem}`
        : `not found in ${played} runs`
      process.stdout.write(`${bug.name}, seed ${seed}, ${explore} futures: ${by}\n`)
    }
}

/** In a world that has the bug, and no more of a load than it needs. */
function playWith({ plant, world: options, load }: BugInARow): PlayRun {
  const needed = (plan: FaultPlan): FaultPlan => {
    const rates = Object.entries(plan.load).map(([what, rate]) => [
      what,
      load.some((each) => each === what) ? rate : 0,
    ])
    return { ...plan, load: Object.fromEntries(rates) as FaultPlan['load'] }
  }
  return async (planned, planFor) => {
    await using world = await startSimulatedWorld({ ...optionsFor(planned), ...options }, plant())
    return await runWeather(world, needed(planFor(world.faults.targets())))
  }
}
