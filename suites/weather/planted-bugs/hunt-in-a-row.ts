import type { FaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { runWeather } from '../run-weather.ts'
import type { PlayRun } from '../swarm/play-run.ts'
import { playSwarm } from '../swarm/play-swarm.ts'
import { type BugInARow, bugsInARow } from './bugs-in-a-row.ts'

/** Futures of each run that came to something first. */
const FUTURES = 20

// `node suites/weather/planted-bugs/hunt-in-a-row.ts [NAME] [RUNS] [SEED…]`: by which run of a swarm each is found that
// takes two rare things in a row, with branches and without, in worlds that have only what the bug needs.
const [name = '', runs = '400', ...seeds] = process.argv.slice(2)
for (const bug of bugsInARow.filter((each) => each.name.includes(name))) {
  for (const seed of seeds.length > 0 ? seeds.map(Number) : [1])
    for (const explore of [FUTURES, 0]) {
      const { played, failures } = await playSwarm({
        ...{ runs: Number(runs), seed, explore, shrink: false, world: {}, play: playWith(bug) },
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
