import { relative } from 'node:path'
import { type Command, Option } from 'commander'
import type { Profile } from '#devnet/base/options/devnet-description'
import { packageVersion } from '#devnet/base/package-version'
import { systemClock } from '#protocol/clock/system-clock'
import type { Shard, Targets } from '#suites/gate/conformance/index'
import { address } from './actor-flags.ts'
import { oneOf, url } from './parse-number.ts'
import { DEFAULT_REPORT_FOLDER, OUT_HELP } from './report.ts'
import { UsageError } from './usage-error.ts'
import { BUILT_IN_DRIVER, whatToJudge } from './what-to-judge.ts'

interface ConformFlags extends Targets {
  driver?: string
  /** true: the key is in the environment. */
  privateKey?: string | true
  profile?: Profile
  only?: string
  expect?: string
  shard?: Shard
  out?: string
  format?: ReportFormat[]
  json?: boolean
  strict?: boolean
  requireAll?: boolean
  rules?: number
  rps?: number
  timeout?: number
  header?: Readonly<Record<string, string>>
}

type ReportFormat = (typeof FORMATS)[number]

const FORMATS = ['html', 'json', 'junit', 'ctrf', 'sarif', 'md', 'badge'] as const
const WS_PROTOCOLS = ['ws:', 'wss:']

/** So that the key is in no list of processes and no shell history. */
const KEY_VARIABLE = 'ROLLBED_PRIVATE_KEY'

/** `rollbed conform`: judges whatever answers at the given URLs. */
export function addConformCommand(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('conform')
    .description(
      'Judge a node, a builder-code API or a prover by its URLs. Without URLs: the whole devnet of this folder; commands add to what is judged.',
    )
    .addOption(new Option('--rpc <url>', 'node JSON-RPC').argParser(url('--rpc')))
    .addOption(new Option('--ws <url>', 'node WebSocket').argParser(url('--ws', WS_PROTOCOLS)))
    .addOption(new Option('--api <url>', 'builder-code API').argParser(url('--api')))
    .addOption(new Option('--prover <url>', 'prover host').argParser(url('--prover')))
    .addOption(new Option('--l1 <url>', 'L1 JSON-RPC').argParser(url('--l1')))
    .addOption(
      new Option('--rpc-plain <url>', 'the same node without pre-confirmations').argParser(
        url('--rpc-plain'),
      ),
    )
    .addOption(
      new Option('--rpc-testnet <url>', 'a node configured as test network').argParser(
        url('--rpc-testnet'),
      ),
    )
    .addOption(new Option('--l1-beacon <url>', 'L1 beacon API').argParser(url('--l1-beacon')))
    .addOption(
      new Option('--tee-verifier <address>', 'TEEVerifier on --l1').argParser(
        address('--tee-verifier'),
      ),
    )
    .option('--enclave <endpoint>', 'one enclave, unix:PATH:PORT')
    .option(
      '--host <command>',
      "command that starts a prover host, such as `rollbed host …`; 'devnet': ours, for the devnet",
    )
    .option(
      '--enclave-command <command>',
      "command that boots an enclave in the folder it is run in; 'devnet': ours",
    )
    .option(
      '--local-enclave-command <command>',
      "likewise, in local mode: no security module, and the chain of --rpc; 'devnet': ours",
    )
    .option(
      '--proposer <command>',
      "command that runs a proposer, judged in a devnet of its own with a game's life in it; 'devnet': ours",
    )
    .option('--challenger <command>', "command that runs a challenger, likewise; 'devnet': ours")
    .option('--registrar <command>', "command that runs a registrar, likewise; 'devnet': ours")
    .option(
      '--client <command>',
      'command that runs a client, likewise: it prints each log of the contract WATCH_ADDRESS once',
    )
    .option(
      '--driver <file>',
      "module that acts on the target; 'devnet': the test mnemonic's accounts",
    )
    .option(
      '--private-key [key]',
      `drives any chain on which this key has a little money, and says first how much it may spend; without a value the key is read from ${KEY_VARIABLE}`,
    )
    .addOption(
      new Option('--profile <name>', 'rules to judge by (default: spec)').argParser(
        oneOf('--profile', ['spec', 'base']),
      ),
    )
    .option('--only <glob>', 'case ids, areas or rule ids, separated by commas')
    .option('--expect <file>', 'known failures of this target, with reason and expiry')
    .addOption(new Option('--shard <i/n>', 'the i-th of n parts').argParser(shard))
    .option('--out <dir>', OUT_HELP)
    .addOption(
      new Option('--format <list>', `of ${FORMATS.join(', ')} (default: html,junit)`).argParser(
        (text) => text.split(',').map(oneOf('--format', FORMATS)),
      ),
    )
    .option('--strict', 'a `should` that is not met fails')
    .option('--require-all', 'exit 1 when a rule that the given URLs allow to judge was not judged')
    .addOption(
      new Option(
        '--rules <version>',
        'only cases that this version of the catalogue had',
      ).argParser(positiveNumber('--rules')),
    )
    .addOption(
      new Option('--rps <n>', 'requests in a second, for a target that limits them').argParser(
        positiveNumber('--rps'),
      ),
    )
    .addOption(
      new Option(
        '--timeout <seconds>',
        'for one case, before it is unknown (default: 45)',
      ).argParser(positiveNumber('--timeout')),
    )
    .addOption(
      new Option(
        '--header <line>',
        "sent with every request, such as 'x-api-key: …'; may be repeated",
      ).argParser(header),
    )
    .option('--json', 'print the run as JSON')
    .action(async (flags: ConformFlags) => finish(await conform(flags)))
}

async function conform(flags: ConformFlags): Promise<number> {
  const gate = await import('#suites/gate/conformance/index')
  const reports = await import('#reports/index')
  const { targets, driverName, profile } = await whatToJudge(flags)
  const interrupt = new AbortController()
  const stop = () => interrupt.abort(new UsageError('Interrupted.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const { signal } = interrupt

  const expectations = flags.expect ? await gate.loadExpectations(flags.expect) : []
  const pace = {
    ...(flags.rps && { rps: flags.rps }),
    ...(flags.header && { headers: flags.header }),
  }
  const key = privateKeyOf(flags)
  const startDriver =
    key || driverName === BUILT_IN_DRIVER
      ? undefined
      : driverName && (await gate.loadDriver(driverName))
  await gate.reachTargets(targets, { headers: flags.header ?? {}, signal })
  const driverOptions = { targets, clock: systemClock, signal, ...pace }
  const driver = key
    ? await gate.createPrivateKeyDriver({
        ...driverOptions,
        key,
        onPlan: (plan) => console.error(plan),
      })
    : driverName === BUILT_IN_DRIVER
      ? await gate.createTestMnemonicDriver(driverOptions)
      : startDriver && (await startDriver(driverOptions))
  try {
    const run = await gate.runConformance({
      targets,
      profile,
      expectations,
      signal,
      clock: systemClock,
      version: packageVersion,
      strict: flags.strict ?? false,
      onProgress: ({ done, total }) => showProgress(done, total),
      ...pace,
      ...(flags.rules && { rulesVersion: flags.rules }),
      ...(flags.timeout && { timeout: flags.timeout * 1_000 }),
      ...(driver ? { driver } : {}),
      startCallerWorld: async (kind) => {
        const { startCallerWorld } = await import('#devnet/scenarios/start-caller-world')
        return await startCallerWorld(kind)
      },
      ...(flags.only && { only: flags.only }),
      ...(flags.shard && { cases: gate.shardCases(gate.selectCases(flags.only), flags.shard) }),
    })
    const result = {
      ...run,
      ...(flags.shard && { shard: flags.shard }),
      ...(flags.expect && { expectationsFile: relative('.', flags.expect) }),
    }
    // A green run of nothing would be believed; only a shard may be empty.
    if (result.cases.length === 0 && !flags.shard) {
      throw new UsageError(
        `No case of --only ${flags.only} is about the URLs given.`,
        'Give the URLs of its area too: --rpc, --ws, --api, --prover, --l1, --enclave, --host, --proposer, …',
      )
    }
    const dir = flags.out ?? (flags.format && DEFAULT_REPORT_FOLDER)
    if (dir) {
      const formats = flags.format ?? (['html', 'junit'] as const)
      const files = await reports.writeReports(result, { dir, formats })
      for (const file of files) console.error(`wrote ${file}`)
    }
    console.log(flags.json ? JSON.stringify(result) : reports.summarise(result))
    return gate.exitCode(result, { requireAll: flags.requireAll ?? false })
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    if (driver) await driver.stop?.()
  }
}

/** @throws UsageError when it is no key, or when there is a driver too; the text is never repeated */
function privateKeyOf({ privateKey, driver }: ConformFlags): `0x${string}` | undefined {
  if (privateKey === undefined) return undefined
  if (driver) throw new UsageError('--driver and --private-key exclude each other.')
  const text = privateKey === true ? (process.env[KEY_VARIABLE] ?? '') : privateKey
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text as `0x${string}`
  throw new UsageError(
    `${privateKey === true ? KEY_VARIABLE : '--private-key'} must be 0x and 64 hex digits.`,
  )
}

/** One more of `--header`. @throws UsageError */
function header(
  line: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(line) ?? []
  if (name && value) return { ...before, [name]: value }
  throw new UsageError("--header must be like 'name: value'.")
}

function positiveNumber(flag: string) {
  return (text: string): number => {
    const value = Number(text)
    if (value > 0 && Number.isFinite(value)) return value
    throw new UsageError(`${flag} must be a number above 0, not '${text}'.`)
  }
}

function shard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
  if (index && count && index <= count) return { index, count }
  throw new UsageError(`--shard must be like 1/3, not '${text}'.`)
}

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r${done}/${total}${done === total ? '\n' : ''}`)
}
