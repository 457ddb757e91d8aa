import type { Command } from 'commander'
import { addCommand, type CommandTable } from './add-command.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { wholeNumber } from './parse-number.ts'
import { readPlan } from './read-plan.ts'
import { whileWanted } from './while-wanted.ts'

const WEEK = 7 * 86_400_000

const REPLAY = {
  name: 'replay',
  says: 'Play a plan, faults and load, in a simulated world, stop it at a moment, and serve it over HTTP.',
  takes: { '<file>': "a plan, as 'rollbed up --faults' takes it, or the JSON itself" },
  flags: {
    until: value(
      '<ms>',
      "milliseconds of the world's time; default the end of the plan",
      wholeNumber(0, WEEK),
    ),
    branch: on('end all faults at that moment: from there it goes on without them'),
    port: value('<n>', 'of L2; L1 and the rollup RPC are on the next two', wholeNumber(0, 65_533), {
      default: 8545,
    }),
    json: on('one JSON object'),
  },
  examples: ['rollbed fault replay out/plan.json --until 4000'],
} as const satisfies CommandTable

type ReplayFlags = FlagsOf<typeof REPLAY.flags>

/** `rollbed fault replay`: the simulated world at a moment of a plan, to be looked at with any client. */
export function addFaultReplay(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, REPLAY).action(async (file: string, flags: ReplayFlags) => {
    const plan = readPlan(file)
    const [{ startSimulatedWorld }, { optionsFor }, { serveWorld }, { startWeather }] =
      await Promise.all([
        import('#devnet/rollup/world/start-simulated-world'),
        import('#devnet/rollup/world/options-for'),
        import('#devnet/rollup/world/serve-world'),
        import('#suites/weather/start-weather'),
      ])
    await using world = await startSimulatedWorld(optionsFor(plan))
    const { played, clients } = startWeather(world, plan)
    played.done.catch((error: Error) => console.error(error.message))
    await world.runUntil(flags.until ?? plan.duration)
    if (flags.branch) await played.stop()
    const { stop, ...urls } = await serveWorld(world, { port: flags.port })
    const active = world.faults.list().map(({ target, fault: name }) => `${target} ${name}`)
    if (flags.json)
      console.log(jsonOf('fault replay', { ...urls, time: world.now(), faults: active }))
    else console.log(inWords(urls, world.now(), active))
    await whileWanted((left) => left)
    await stop()
    clients.leave()
    finish(0)
  })
}

function inWords(urls: Record<string, string>, time: number, faults: readonly string[]): string {
  return [
    `The world at ${time} ms. It stands still; rollbed_worldRun [milliseconds] lets it go on.`,
    `L2      ${urls.rpcUrl}`,
    `L1      ${urls.l1RpcUrl}`,
    `rollup  ${urls.rollupRpcUrl}`,
    `faults  ${faults.join(', ') || 'none'}`,
    'Ctrl-C ends it.',
  ].join('\n')
}
