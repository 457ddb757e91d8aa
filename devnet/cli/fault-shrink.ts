import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { violationsInWords } from './fault-run.ts'
import { type FlagsOf, on, text } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { openWorld } from './open-world.ts'
import { readPlan } from './read-plan.ts'

const SHRINK = {
  name: 'shrink',
  says: 'Look for the smallest plan that breaks what this one breaks.',
  takes: { '<plan>': "a plan, as 'rollbed fault swarm --out' writes it, or the JSON itself" },
  flags: {
    real: on("in what 'rollbed up' starts, on the wall clock; default: simulated"),
    out: text('<file>', 'the plan that is left'),
    json: on('one JSON object'),
  },
  examples: ['rollbed fault shrink out/plan.json --out small.json'],
} as const satisfies CommandTable

type ShrinkFlags = FlagsOf<typeof SHRINK.flags>

/** `rollbed fault shrink`: the smallest plan that breaks what a plan breaks. */
export function addFaultShrink(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, SHRINK).action(async (plan: string, flags: ShrinkFlags) => {
    finish(await shrink(readPlan(plan), flags))
  })
}

async function shrink(plan: FaultPlan, flags: ShrinkFlags): Promise<number> {
  const body = flags.real ? ('real' as const) : ('simulated' as const)
  const [{ runWeather }, { shrinkFailure }, { againBy }] = await Promise.all([
    import('#suites/weather/run-weather'),
    import('#suites/weather/swarm/shrink-failure'),
    import('#suites/weather/again-by'),
  ])
  const play = async (each: FaultPlan) => {
    await using world = await openWorld(body, each)
    return await runWeather(world, each)
  }
  const { violations } = await play(plan)
  if (violations.length === 0) {
    if (flags.json) console.log(jsonOf('fault shrink', { plan, plays: 0, violations }))
    else console.log(`Nothing to shrink: ${violationsInWords(violations)}`)
    return ExitCode.ok
  }
  if (!flags.json) console.error(violationsInWords(violations))
  const least = await shrinkFailure(plan, violations, play)
  if (flags.out) writeFileSync(flags.out, `${JSON.stringify(least.plan, null, 2)}\n`)
  if (flags.json) console.log(jsonOf('fault shrink', { ...least, violations }))
  else {
    const faults = `${plan.faults.length} faults to ${least.plan.faults.length}`
    console.log(`From ${faults} in ${least.plays} plays.`)
    console.log(`Again: ${againBy(least.plan, body)}`)
  }
  return ExitCode.failed
}
