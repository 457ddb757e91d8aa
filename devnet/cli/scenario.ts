import { type Command, Option } from 'commander'
import { createLogger } from '#devnet/base/create-logger'
import { systemClock } from '#protocol/clock/system-clock'
import { CONFIG_HELP, describedDevnet } from './described-devnet.ts'
import { url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

interface RunFlags {
  config?: string
  l1?: string
  rollup?: string
  prover?: string
}

/** `rollbed scenario list|run`: puts a devnet into a named situation, for actors under test. */
export function addScenarioCommand(program: Command, finish: (exitCode: number) => void): void {
  const command = program
    .command('scenario')
    .description('Put a running devnet into a named situation, for actors that are tested on it.')

  command
    .command('list')
    .description('The situations by name.')
    .option('--json', 'one JSON array')
    .action(async (flags: { json?: boolean }) => {
      const { scenarios } = await import('#devnet/scenarios/scenarios')
      const width = Math.max(...scenarios.map(({ name }) => name.length))
      console.log(
        flags.json
          ? JSON.stringify(scenarios.map(({ name, summary }) => ({ name, summary })))
          : scenarios.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`).join('\n'),
      )
      finish(0)
    })

  command
    .command('run')
    .description('Bring one about, and print what was made and what a correct actor now does.')
    .argument('<name>', "as in 'rollbed scenario list'")
    .option('--config <file>', CONFIG_HELP)
    .addOption(new Option('--l1 <url>', 'L1 RPC, an anvil').argParser(url('--l1')))
    .addOption(new Option('--rollup <url>', 'rollup node RPC').argParser(url('--rollup')))
    .addOption(new Option('--prover <url>', 'prover host').argParser(url('--prover')))
    .option('--json', 'accepted for symmetry: the output is always JSON')
    .action(async (name: string, flags: RunFlags) => {
      const { scenarios } = await import('#devnet/scenarios/scenarios')
      const scenario = scenarios.find((each) => each.name === name)
      if (!scenario) throw new UsageError(`There is no scenario '${name}'.`, LIST)
      const { createScenarioContext } = await import('#devnet/scenarios/scenario-context')
      const logger = createLogger('warn')
      const context = createScenarioContext({
        ...endpointsOf(flags),
        clock: systemClock,
        logger,
        onProgress: (line) => console.error(line),
      })
      const situation = await scenario.play(context)
      console.log(JSON.stringify({ scenario: name, ...situation }, plain))
      finish(0)
    })
}

const LIST = "See 'rollbed scenario list'."

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

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
