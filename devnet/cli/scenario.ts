import type { Command } from 'commander'
import { createLogger } from '#devnet/base/create-logger'
import { systemClock } from '#protocol/clock/system-clock'
import { addCommand, type CommandTable } from './add-command.ts'
import { CONFIG_HELP, describedDevnet } from './described-devnet.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

const LIST = {
  name: 'list',
  says: 'The situations by name.',
  flags: { json: on('one JSON array') },
  examples: ['rollbed scenario list'],
} as const satisfies CommandTable

const RUN = {
  name: 'run',
  says: 'Bring one about, and print what was made and what a correct actor now does.',
  takes: { '<name>': "as in 'rollbed scenario list'" },
  flags: {
    config: text('<file>', CONFIG_HELP),
    l1: value('<url>', 'L1 RPC, an anvil', url),
    rollup: value('<url>', 'rollup node RPC', url),
    prover: value('<url>', 'prover host', url),
    json: on('accepted for symmetry: the output is always JSON'),
  },
  examples: ['rollbed scenario run honest-game'],
} as const satisfies CommandTable

type RunFlags = FlagsOf<typeof RUN.flags>

/** `rollbed scenario list|run`: puts a devnet into a named situation, for actors under test. */
export function addScenarioCommand(program: Command, finish: (exitCode: number) => void): void {
  const command = addCommand(program, {
    name: 'scenario',
    says: 'Put a running devnet into a named situation, for actors that are tested on it.',
    examples: ['rollbed scenario list', 'rollbed scenario run honest-game'],
  })

  addCommand(command, LIST).action(async (flags: FlagsOf<typeof LIST.flags>) => {
    const { scenarios } = await import('#devnet/scenarios/scenarios')
    const width = Math.max(...scenarios.map(({ name }) => name.length))
    console.log(
      flags.json
        ? jsonOf(
            'scenario list',
            scenarios.map(({ name, summary }) => ({ name, summary })),
          )
        : scenarios.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`).join('\n'),
    )
    finish(0)
  })

  addCommand(command, RUN).action(async (name: string, flags: RunFlags) => {
    const { scenarios } = await import('#devnet/scenarios/scenarios')
    const scenario = scenarios.find((each) => each.name === name)
    if (!scenario) throw new UsageError(`There is no scenario '${name}'.`, SEE_LIST)
    const { createScenarioContext } = await import('#devnet/scenarios/scenario-context')
    const logger = createLogger('warn')
    const context = createScenarioContext({
      ...endpointsOf(flags),
      clock: systemClock,
      logger,
      onProgress: (line) => console.error(line),
    })
    const situation = await scenario.play(context)
    console.log(jsonOf('scenario run', { scenario: name, ...situation }))
    finish(0)
  })
}

const SEE_LIST = "See 'rollbed scenario list'."

function endpointsOf({ config, l1, rollup, prover }: RunFlags) {
  if (l1 && rollup && prover) return { l1RpcUrl: l1, rollupRpcUrl: rollup, proverUrl: prover }
  const devnet = describedDevnet(config)
  return {
    l1RpcUrl: l1 ?? devnet.l1RpcUrl,
    rollupRpcUrl: rollup ?? devnet.rollupRpcUrl,
    proverUrl: prover ?? devnet.proverUrl,
    contracts: devnet.contracts,
    l1ChainId: devnet.l1ChainId,
  }
}
