import { mkdir } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Command } from 'commander'
import { packageVersion } from '#devnet/base/package-version'
import { systemClock } from '#protocol/clock/system-clock'
import { CLAIMS } from '#suites/gate/conformance/claims'
import { PROFILES } from '#suites/gate/conformance/conformance-case'
import type { Claim, Effort, Shard } from '#suites/gate/conformance/index'
import { CALLER_TARGETS } from '#suites/gate/conformance/targets'
import { address } from './actor-flags.ts'
import { addCommand, type CommandTable } from './add-command.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { JudgingProgress } from './judging-progress.ts'
import { oneOf, url, urlOf, wholeNumber } from './parse-number.ts'
import { DEFAULT_REPORT_FOLDER, OUT_HELP } from './report.ts'
import { UsageError } from './usage-error.ts'
import { BUILT_IN_DRIVER, whatToJudge } from './what-to-judge.ts'

type ReportFormat = (typeof FORMATS)[number]

const FORMATS = ['html', 'json', 'junit', 'ctrf', 'sarif', 'md', 'badge'] as const

/** Seconds: what a thousand logs of the watch take, and what one block and more takes. */
const WHOLE_WATCH = 20
const SHORT_WATCH = 3

/** So that the key is in no list of processes and no shell history. */
const KEY_VARIABLE = 'ROLLBED_PRIVATE_KEY'

const CONFORM = {
  name: 'conform',
  says: 'Judge a node, a builder-code API or a prover by its URLs. Without URLs: the whole devnet of this folder; commands add to what is judged.',
  flags: {
    rpc: value('<url>', 'node JSON-RPC', url),
    ws: value('<url>', 'node WebSocket', urlOf(['ws:', 'wss:'])),
    api: value('<url>', 'builder-code API', url),
    prover: value('<url>', 'prover host', url),
    l1: value('<url>', 'L1 JSON-RPC', url),
    rpcPlain: value('<url>', 'the same node without pre-confirmations', url),
    rpcTestnet: value('<url>', 'a node configured as test network', url),
    l1Beacon: value('<url>', 'L1 beacon API', url),
    teeVerifier: value('<address>', 'TEEVerifier on --l1', address),
    enclave: text('<endpoint>', 'one enclave, unix:PATH:PORT'),
    host: text(
      '<command>',
      "command that starts a prover host, such as `rollbed host …`; 'devnet': ours, for the devnet",
    ),
    enclaveCommand: text(
      '<command>',
      "command that boots an enclave in the folder it is run in; 'devnet': ours",
    ),
    localEnclaveCommand: text(
      '<command>',
      "likewise, in local mode: no security module, and the chain of --rpc; 'devnet': ours",
    ),
    proposer: text(
      '<command>',
      "command that runs a proposer, judged in a devnet of its own with a game's life in it; 'devnet': ours",
    ),
    challenger: text('<command>', "command that runs a challenger, likewise; 'devnet': ours"),
    registrar: text('<command>', "command that runs a registrar, likewise; 'devnet': ours"),
    client: text(
      '<command>',
      'command that runs a client, likewise: it prints each log of the contract WATCH_ADDRESS once',
    ),
    driver: text(
      '<file>',
      "module that acts on the target; 'devnet': the test mnemonic's accounts",
    ),
    privateKey: value(
      '[key]',
      `drives any chain on which this key has a little money, and says first how much it may spend; without a value the key is read from ${KEY_VARIABLE}`,
      // commander gives true where no key follows.
      (): ((key: string) => string | true) => (key) => key,
    ),
    profile: value(
      '<name>',
      'rules to judge by: spec, base, or today for a chain of blocks of 200 ms (default: spec, or what the devnet of this folder is)',
      oneOf(PROFILES),
    ),
    claim: value(
      '<list>',
      'what the target says that it is: judged by that alone, such as challenger or reads,pending',
      claims,
    ),
    only: text('<glob>', 'case ids, areas or rule ids, separated by commas'),
    expect: text('<file>', 'known failures of this target, with reason and expiry'),
    shard: value('<i/n>', 'the i-th of n parts', shard),
    out: text('<dir>', OUT_HELP),
    format: value('<list>', `of ${FORMATS.join(', ')} (default: html,junit)`, formats),
    strict: on('a `should` that is not met fails'),
    requireAll: on('exit 1 when a rule that the given URLs allow to judge was not judged'),
    rules: value('<version>', 'only cases that this version of the catalogue had', anyNumber),
    rps: value('<n>', 'requests in a second, for a target that limits them', positiveNumber),
    timeout: value('<seconds>', 'for one case, before it is unknown (default: 45)', positiveNumber),
    watch: value(
      '<seconds>',
      'looks at the node at least so long (default: 20, and 3 with --only or --shard)',
      positiveNumber,
    ),
    effort: value(
      '<name>',
      'random calls and simulations: quick (20 of each kind), normal (60), long (3,000) (default: normal)',
      oneOf<Effort>(['quick', 'normal', 'long']),
    ),
    seed: value(
      '<n>',
      'draws other random calls and simulations (default: 1)',
      wholeNumber(1, 2 ** 31 - 1),
    ),
    header: value(
      '<line>',
      "sent with every request, such as 'x-api-key: …'; may be repeated",
      header,
    ),
    build: text(
      '<label>',
      'what was built and is judged, such as a version or a commit: kept in the reports',
    ),
    json: on('print the run as JSON'),
  },
  examples: [
    'rollbed conform',
    'rollbed conform --rpc http://127.0.0.1:8545 --ws ws://127.0.0.1:8545 --driver devnet',
    'rollbed conform --rpc https://node.example --ws wss://node.example --profile today',
    "rollbed conform --rpc http://127.0.0.1:8545 --only 'logs' --out reports --format html,junit",
  ],
} as const satisfies CommandTable

type ConformFlags = FlagsOf<typeof CONFORM.flags>

/** `rollbed conform`: judges whatever answers at the given URLs. */
export function addConformCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, CONFORM).action(async (flags: ConformFlags) => finish(await conform(flags)))
}

async function conform(flags: ConformFlags): Promise<number> {
  const gate = await import('#suites/gate/conformance/index')
  const { describeForStrict } = await import('#suites/gate/conformance/apply-expectations')
  const { judgeable, versionOf, wantedCases } = await import(
    '#suites/gate/conformance/wanted-cases'
  )
  const reports = await import('#reports/index')
  const { createWorldProcess } = await import('#devnet/scenarios/create-world-process')
  // What no devnet would change is refused before one is looked for: none brings a caller.
  versionOf(flags.rules)
  for (const claim of flags.claim ?? [])
    if (CALLER_TARGETS.some((caller) => caller === claim)) judgeable(claim, { targets: flags })
  const { targets, driverName, profile } = await whatToJudge(flags)
  const asked = {
    ...{ targets, profile },
    ...(flags.rules !== undefined && { rulesVersion: flags.rules }),
    ...(flags.claim && { claims: flags.claim }),
    ...(flags.only && { only: flags.only }),
  }
  const { wanted, cases } = wantedCases(asked)
  // A green run of nothing would be believed.
  if (cases.length === 0) {
    throw new UsageError(
      `No case${flags.only ? ` of --only ${flags.only}` : ''} is about the URLs given${flags.rules ? ` and in version ${flags.rules} of the catalogue` : ''}.`,
      'Give the URLs of its area too: --rpc, --ws, --api, --prover, --l1, --enclave, --host, --proposer, …',
    )
  }
  const interrupt = new AbortController()
  const progress = new JudgingProgress(systemClock, process.stderr)
  const stop = () => interrupt.abort(progress.interrupted())
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
  const dir = flags.out ?? (flags.format && DEFAULT_REPORT_FOLDER)
  // A place that cannot be written to is found before the run, not after it, and before anything is started.
  if (dir) await mkdir(dir, { recursive: true })
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
  const worlds = createWorldProcess()
  progress.begin()
  try {
    const run = await gate.runConformance({
      ...asked,
      expectations,
      signal,
      clock: systemClock,
      version: packageVersion,
      strict: flags.strict ?? false,
      onProgress: (each) => progress.take(each),
      ...pace,
      watch: flags.watch ?? (flags.only || flags.shard ? SHORT_WATCH : WHOLE_WATCH),
      draw: { seed: flags.seed ?? 1, effort: flags.effort ?? 'normal' },
      ...(flags.timeout && { timeout: flags.timeout * 1_000 }),
      ...(driver ? { driver } : {}),
      startCallerWorld: worlds.start,
      ...(flags.shard && { cases: gate.shardCases(wanted, flags.shard) }),
    })
    const result = {
      ...run,
      ...(flags.shard && { shard: flags.shard }),
      ...(flags.build && { build: flags.build }),
      ...(flags.expect && { expectationsFile: relative('.', flags.expect) }),
    }
    if (!flags.strict)
      for (const line of describeForStrict(result.cases, expectations, flags.expect))
        console.error(line)
    if (dir) {
      const formats = flags.format ?? (['html', 'junit'] as const)
      const files = await reports.writeReports(result, { dir, formats })
      for (const file of files) console.error(`wrote ${file}`)
    }
    console.log(
      flags.json ? jsonOf('conform', reports.withTotals(result)) : reports.summarise(result),
    )
    return gate.exitCode(result, { requireAll: flags.requireAll ?? false })
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    progress.end()
    await worlds.stop()
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

/** One more header. @throws UsageError */
function header(flag: string) {
  return (line: string, before: Readonly<Record<string, string>> = {}) => {
    const [, name, content] = /^([\w-]+):\s*(.+)$/.exec(line) ?? []
    if (name && content) return { ...before, [name]: content }
    throw new UsageError(`${flag} must be like 'name: value'.`)
  }
}

/** Which of them are versions, the catalogue says. */
function anyNumber(flag: string) {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() && Number.isFinite(value)) return value
    throw new UsageError(`${flag} must be a number, not '${text}'.`)
  }
}

function positiveNumber(flag: string) {
  return (text: string): number => {
    const value = Number(text)
    if (value > 0 && Number.isFinite(value)) return value
    throw new UsageError(`${flag} must be a number above 0, not '${text}'.`)
  }
}

function formats(flag: string) {
  const format = oneOf(FORMATS)(flag)
  return (list: string): ReportFormat[] => list.split(',').map((name) => format(name))
}

function claims(flag: string) {
  const claim = oneOf(Object.keys(CLAIMS) as Claim[])(flag)
  return (list: string): Claim[] => [...new Set(list.split(',').map((name) => claim(name.trim())))]
}

function shard(flag: string) {
  return (text: string): Shard => {
    const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
    if (index && count && index <= count) return { index, count }
    throw new UsageError(`${flag} must be like 1/3, not '${text}'.`)
  }
}
