import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type LogFormat, readersFormat } from '#devnet/base/create-logger'
import type {
  DataAvailability,
  EnclaveKind,
  Profile,
} from '#devnet/base/options/devnet-description'
import { DEVNET_DEFAULTS } from '#devnet/base/options/devnet-options'
import { enclaveKinds } from '#devnet/base/options/enclave-kinds'
import { type ChainName, parseUpgrades } from '#devnet/base/options/upgrade-options'
import { DEFAULT_PORT_BASE, portsFrom } from '#devnet/base/ports'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { systemClock } from '#protocol/clock/system-clock'
import { JOURNAL_ERA_NAMES } from '#protocol/upgrades/upgrade-table'
import { ACCESS_FLAGS, accessOf } from './access-flags.ts'
import { addCommand, type CommandTable } from './add-command.ts'
import { banner } from './banner.ts'
import { devnetFile, keepDevnetFile, keepFolderFile, requireReplaceable } from './devnet-file.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { FORK_FLAGS, forkOf } from './fork-flags.ts'
import { jsonOf } from './json-of.ts'
import { openBrowser } from './open-browser.ts'
import { oneOf, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'
import { whileWanted } from './while-wanted.ts'

/** Milliseconds; the contract promises 2 s. */
const STOP_TIMEOUT = 1800

/** What wallets and JSON numbers still hold, with room for the test network's. */
const MAX_CHAIN_ID = 2 ** 32

const UP = {
  name: 'up',
  says: 'Start L1, the L2 node, the builder-code API, the prover host and its enclaves.',
  flags: {
    json: on('print exactly one line of JSON when ready'),
    configOut: text('<file>', 'also write that line to a file'),
    portBase: value(
      '<n>',
      'L2 RPC port; the rest follow, L1 is 1000 above; 0: free ports',
      wholeNumber(0, 64_000),
      { default: DEFAULT_PORT_BASE },
    ),
    chainId: value('<n>', 'chain id of L2', wholeNumber(1, MAX_CHAIN_ID), {
      default: DEVNET_DEFAULTS.chainId,
    }),
    profile: value(
      '<name>',
      'spec, or base: what deployed Base nodes do',
      oneOf<Profile>(['spec', 'base']),
      { default: DEVNET_DEFAULTS.profile },
    ),
    chain: value(
      '<name>',
      "today: Base as it is since Denim, blocks of 200 ms; crossing: Denim 20 blocks after the start; default: the specification's",
      oneOf<ChainName>(['today', 'crossing']),
    ),
    upgrades: value(
      '<list>',
      'upgrades of Base and when each comes: azul=genesis,denim=+30s; also never, a Unix time, or "block 20"',
      () => parseUpgrades,
      { conflicts: ['chain'] },
    ),
    journalEra: value(
      '<era>',
      'what journals of a chain with upgrades end with the id of: activated-schedule (Base since August 2026) or whole-schedule (July 2026); default: the former',
      oneOf(JOURNAL_ERA_NAMES),
    ),
    blockTime: value('<s>', 'seconds between L2 blocks', wholeNumber(1, 60), {
      default: DEVNET_DEFAULTS.blockTime,
    }),
    l1BlockTime: value(
      '<s>',
      'seconds between L1 blocks; as --block-time unless told',
      wholeNumber(1, 60),
    ),
    flashblockTime: value(
      '<ms>',
      'milliseconds between pre-confirmations',
      wholeNumber(10, 60_000),
      { default: DEVNET_DEFAULTS.flashblockTime },
    ),
    dataAvailability: value(
      '<where>',
      'batches on L1 in calldata, or, a third as often, in blobs',
      oneOf<DataAvailability>(['calldata', 'blobs']),
      { default: DEVNET_DEFAULTS.dataAvailability },
    ),
    historyBlocks: value(
      '<n>',
      'sealed blocks whose state is kept; ten times as many on a chain that crosses Denim',
      wholeNumber(256, 1_000_000),
      {
        default: DEVNET_DEFAULTS.historyBlocks,
      },
    ),
    historyMemory: value(
      '<MiB>',
      'what old blocks and states take at most',
      wholeNumber(1, 65_536),
      { default: DEVNET_DEFAULTS.historyMemory },
    ),
    logsRange: value(
      '<n>',
      'the widest block range eth_getLogs answers; default: 2000 in spec, 100000 in base',
      wholeNumber(0),
    ),
    state: text('<dir>', 'keep everything in this folder, and go on from it at the next start'),
    manual: on('do not build blocks by time'),
    clock: value(
      '<pace>',
      'machine, or manual: only rollbed_increaseTime lets time pass',
      oneOf(['machine', 'manual']),
      { default: 'machine' },
    ),
    plainRpc: on('also serve an endpoint without pre-confirmations'),
    testnet: on('also run a second network, with the next chain id'),
    enclaves: value(
      '<n>',
      'simulated enclaves; vm: one in a virtual machine; 2,vm: both; local: one without a security module; none: no prover',
      enclaves,
      { default: DEVNET_DEFAULTS.enclaves },
    ),
    insecureNoNetns: on('start enclaves even where they cannot be cut off the network'),
    faults: text(
      '<file>',
      'take faults, and play the plan in this file; none: only those of rollbed fault',
    ),
    artifacts: text(
      '<dir>',
      "compiled contracts (Foundry's out, Hardhat's artifacts), to decode calls and logs in the explorer",
    ),
    builderCodeDb: text(
      '<where>',
      'keep builder codes in PostgreSQL (postgres://…) or in a file of SQLite',
    ),
    open: on('open the explorer in the browser when ready'),
    actors: on('also run a proposer, a challenger and a registrar'),
    seed: value('<n>', 'seed of everything random', wholeNumber(0), {
      default: DEVNET_DEFAULTS.seed,
    }),
    genesisTime: value(
      '<s>',
      'Unix time at which L2 begins, and time runs from; the same image and config hash at every start',
      // L1 begins one of its blocks earlier, and no clock shows less than nothing.
      wholeNumber(60, 100_000_000_000),
    ),
    ...FORK_FLAGS,
    verbose: on('log what every part does to standard error'),
    logFormat: value(
      '<format>',
      'text: sentences; json: one object a line; default: text on a terminal, json where it is piped',
      oneOf<LogFormat>(['text', 'json']),
    ),
    ...ACCESS_FLAGS,
  },
  examples: [
    'rollbed up',
    'rollbed up --open --artifacts out',
    'rollbed up --port-base 0 --json',
    'rollbed up --state ./devnet --actors',
    'rollbed up --chain crossing',
    'rollbed up --fork-url https://mainnet.base.org',
  ],
} as const satisfies CommandTable

type UpFlags = FlagsOf<typeof UP.flags>

/** `rollbed up`: the whole devnet, until SIGINT or SIGTERM. */
export function addUpCommand(program: Command, finish: (exitCode: number) => void): void {
  const command = addCommand(program, UP).action(async (flags: UpFlags) => {
    const isGiven = (name: keyof UpFlags) => command.getOptionValueSource(name) !== 'default'
    await whileWanted((left) => up(flags, isGiven, left))
    finish(0)
  })
}

/** @param left resolves once nobody wants it any more */
async function up(
  flags: UpFlags,
  isGiven: (name: keyof UpFlags) => boolean,
  left: Promise<unknown>,
): Promise<void> {
  let started = false
  // A start may take long; leaving ends what it began: each part goes with this process.
  left.then(() => started || process.exit(0))
  if (flags.configOut) requireReplaceable(resolve(flags.configOut))
  const plan = flags.faults === undefined ? undefined : await planIn(flags.faults)
  const fork = forkOf(flags)
  // A fork has the other chain's id and no prover, unless told.
  const { startDevnet } = await import('#devnet/start-devnet')
  const devnet = await startDevnet({
    watchStalls: true,
    ports: portsFrom(flags.portBase),
    ...(isGiven('profile') && { profile: flags.profile }),
    blockTime: flags.blockTime,
    ...((flags.chain || flags.upgrades) && { upgrades: flags.chain ?? flags.upgrades! }),
    ...(flags.journalEra && { journalEra: flags.journalEra }),
    ...(flags.l1BlockTime && { l1BlockTime: flags.l1BlockTime }),
    flashblockTime: flags.flashblockTime,
    dataAvailability: flags.dataAvailability,
    ...(isGiven('historyBlocks') && { historyBlocks: flags.historyBlocks }),
    historyMemory: flags.historyMemory,
    ...(flags.logsRange !== undefined && { logsRange: flags.logsRange }),
    manual: flags.manual ?? false,
    ...(flags.clock === 'manual' && { clock: flags.clock }),
    plainRpc: flags.plainRpc ?? false,
    testnet: flags.testnet ?? false,
    ...(isGiven('chainId') && { chainId: flags.chainId }),
    ...(isGiven('enclaves') && { enclaves: flags.enclaves }),
    ...(fork && { fork }),
    actors: flags.actors ?? false,
    faults: plan !== undefined,
    ...(flags.builderCodeDb && { builderCodeDb: flags.builderCodeDb }),
    ...(flags.state && { state: resolve(flags.state) }),
    ...(flags.artifacts && { artifacts: resolve(flags.artifacts) }),
    insecureNoIsolation: flags.insecureNoNetns ?? false,
    seed: flags.seed,
    ...(flags.genesisTime && { genesisTime: flags.genesisTime }),
    ...accessOf(flags),
    logLevel: flags.verbose ? 'info' : 'warn',
    logFormat: flags.logFormat ?? readersFormat(),
  })
  started = true
  const forget: (() => void)[] = []
  const configOut = flags.configOut && resolve(flags.configOut)
  try {
    if (configOut) forget.push(keepDevnetFile(configOut, devnet))
    try {
      if (configOut !== devnetFile()) forget.push(await keepFolderFile(devnet))
    } catch (error) {
      console.error(`Commands started here will need URLs: ${(error as Error).message}.`)
    }
    console.log(flags.json ? jsonOf('up', devnet.description) : banner(devnet))
    if (plan) devnet.faults?.play(plan).done.catch((error) => console.error(error.message))
    if (flags.open) await openBrowser(devnet.description.dashboardUrl)
    const lost = await Promise.race([left.then(() => undefined), devnet.lost])
    if (lost) throw lost
  } finally {
    // A proof in flight may want longer than a user who pressed Ctrl-C: then the exit cuts it off.
    const timer = systemClock.after(STOP_TIMEOUT, () => process.exit(1))
    await devnet.stop()
    for (const remove of forget) remove()
    timer.cancel()
  }
}

/** @throws RollbedError FAULT_PLAN_INVALID, USAGE */
async function planIn(file: string): Promise<FaultPlan> {
  const { parseFaultPlan } = await import('#devnet/faults/fault-plan')
  if (file === 'none') return parseFaultPlan({})
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--faults: ${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  return parseFaultPlan(value, file)
}

/** `2`, `vm`, `2,vm`, `local` or `none`. */
function enclaves(name: string) {
  const count = wholeNumber(0, 8)(name)
  return (list: string): number | readonly EnclaveKind[] => {
    if (list === 'none') return 0
    const kinds = list
      .split(',')
      .flatMap((part): readonly EnclaveKind[] =>
        part === 'vm' || part === 'local' ? [part] : enclaveKinds(count(part)),
      )
    if (kinds.length > 8) throw new UsageError(`${name} takes at most 8, not '${list}'.`)
    return kinds
  }
}
