import type { Command } from 'commander'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { openWorld } from './open-world.ts'
import { wholeNumber } from './parse-number.ts'
import { readPlan } from './read-plan.ts'

const WHY = {
  name: 'why',
  says: 'Say since when the failure of a plan could not be avoided any more: from ever other moments, many futures are played.',
  takes: {
    '<plan>':
      "a plan that breaks something, as 'rollbed fault swarm --out' writes it, or the JSON itself",
  },
  flags: {
    futures: value('<n>', 'played from each moment', wholeNumber(1, 1_000), { default: 8 }),
    json: on('one JSON object'),
  },
  examples: ['rollbed fault why out/shrunk.json'],
} as const satisfies CommandTable

type WhyFlags = FlagsOf<typeof WHY.flags>

/** `rollbed fault why`: the moment after which every future of a plan fails. */
export function addFaultWhy(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, WHY).action(async (file: string, flags: WhyFlags) => {
    const plan = readPlan(file)
    const [{ findNoReturn }, { runWeather }] = await Promise.all([
      import('#suites/weather/why/find-no-return'),
      import('#suites/weather/run-weather'),
    ])
    const found = await findNoReturn(
      plan,
      async (planned, planFor) => {
        await using world = await openWorld('simulated', planned)
        return await runWeather(world, planFor(world.faults.targets()))
      },
      flags.futures,
    )
    if (flags.json) console.log(jsonOf('fault why', found))
    else if (found.checker === undefined) console.log('The plan breaks nothing.')
    else {
      const moment =
        found.since === undefined ? 'Some future escaped to the end.' : sinceWords(found.since)
      console.log(`${found.checker}, seen at ${found.seen} ms. ${moment}`)
      for (const { at, failed, of } of found.moments) {
        console.log(`  from ${at} ms on ${failed} of ${of} futures break it`)
      }
    }
    finish(found.checker === undefined ? ExitCode.ok : ExitCode.failed)
  })
}

const sinceWords = (since: number): string =>
  since === 0 ? 'No future avoids it.' : `From ${since} ms on no future avoided it.`
