import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RemoteFork } from '#devnet/base/fork/remote-fork'
import type {
  DataAvailability,
  EnclaveKind,
  Profile,
} from '#devnet/base/options/devnet-description'
import { DEVNET_DEFAULTS } from '#devnet/base/options/devnet-options'
import { enclaveKinds } from '#devnet/base/options/enclave-kinds'
import { DEFAULT_PORT_BASE, portsFrom } from '#devnet/base/ports'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { divergenceWords } from '#devnet/l2/node/chain/divergence-words'
import type { Divergence } from '#devnet/l2/node/chain-view'
import type { Devnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'
import { type AccessFlags, accessFlags, accessOf } from './access-flags.ts'
import { banner } from './banner.ts'
import { describesRunning, devnetFile, keepDevnetFile, requireReplaceable } from './devnet-file.ts'
import { openBrowser } from './open-browser.ts'
import { oneOf, wholeNumber } from './parse-number.ts'
import { untilSignal } from './until-signal.ts'
import { UsageError } from './usage-error.ts'

/** Milliseconds; the contract promises 2 s. */
const STOP_TIMEOUT = 1800

/** What wallets and JSON numbers still hold, with room for the test network's. */
const MAX_CHAIN_ID = 2 ** 32

interface UpFlags extends AccessFlags {
  json?: boolean
  configOut?: string
  portBase: number
  profile: Profile
  blockTime: number
  l1BlockTime?: number
  flashblockTime: number
  dataAvailability: DataAvailability
  historyBlocks: number
  historyMemory: number
  logsRange?: number
  manual?: boolean
  clock: 'machine' | 'manual'
  plainRpc?: boolean
  chainId: number
  testnet?: boolean
  enclaves: number | readonly EnclaveKind[]
  genesisTime?: number
  actors?: boolean
  faults?: string
  artifacts?: string
  builderCodeDb?: string
  state?: string
  open?: boolean
  insecureNoNetns?: boolean
  seed: number
  forkUrl?: string
  forkBlock?: number
  forkHeader?: Record<string, string>
  forkCache?: string
  verbose?: boolean
}

/** `rollbed up`: the whole devnet, until SIGINT or SIGTERM. */
export function addUpCommand(program: Command, finish: (exitCode: number) => void): void {
  const command = program
    .command('up')
    .description('Start L1, the L2 node, the builder-code API, the prover host and its enclaves.')
    .option('--json', 'print exactly one line of JSON when ready')
    .option('--config-out <file>', 'also write that line to a file')
    .addOption(
      new Option('--port-base <n>', 'L2 RPC port; the rest follow, L1 is 1000 above; 0: free ports')
        .argParser(wholeNumber('--port-base', 0, 64_000))
        .default(DEFAULT_PORT_BASE),
    )
    .addOption(
      new Option('--chain-id <n>', 'chain id of L2')
        .argParser(wholeNumber('--chain-id', 1, MAX_CHAIN_ID))
        .default(DEVNET_DEFAULTS.chainId),
    )
    .addOption(
      new Option('--profile <name>', 'spec, or base: what deployed Base nodes do')
        .argParser(oneOf('--profile', ['spec', 'base']))
        .default(DEVNET_DEFAULTS.profile),
    )
    .addOption(
      new Option('--block-time <s>', 'seconds between L2 blocks')
        .argParser(wholeNumber('--block-time', 1, 60))
        .default(DEVNET_DEFAULTS.blockTime),
    )
    .addOption(
      new Option(
        '--l1-block-time <s>',
        'seconds between L1 blocks; as --block-time unless told',
      ).argParser(wholeNumber('--l1-block-time', 1, 60)),
    )
    .addOption(
      new Option('--flashblock-time <ms>', 'milliseconds between pre-confirmations')
        .argParser(wholeNumber('--flashblock-time', 10, 60_000))
        .default(DEVNET_DEFAULTS.flashblockTime),
    )
    .addOption(
      new Option('--data-availability <where>', 'batches on L1 in calldata, or in blobs')
        .argParser(oneOf('--data-availability', ['calldata', 'blobs']))
        .default(DEVNET_DEFAULTS.dataAvailability),
    )
    .addOption(
      new Option('--history-blocks <n>', 'sealed blocks whose state is kept')
        .argParser(wholeNumber('--history-blocks', 256, 1_000_000))
        .default(DEVNET_DEFAULTS.historyBlocks),
    )
    .addOption(
      new Option('--history-memory <MiB>', 'what old blocks and states take at most')
        .argParser(wholeNumber('--history-memory', 1, 65_536))
        .default(DEVNET_DEFAULTS.historyMemory),
    )
    .addOption(
      new Option(
        '--logs-range <n>',
        'the widest block range eth_getLogs answers; default: 2000 in spec, 100000 in base',
      ).argParser(wholeNumber('--logs-range', 0, Number.MAX_SAFE_INTEGER)),
    )
    .option('--state <dir>', 'keep everything in this folder, and go on from it at the next start')
    .option('--manual', 'do not build blocks by time')
    .addOption(
      new Option('--clock <pace>', 'machine, or manual: only rollbed_increaseTime lets time pass')
        .argParser(oneOf('--clock', ['machine', 'manual']))
        .default('machine'),
    )
    .option('--plain-rpc', 'also serve an endpoint without pre-confirmations')
    .option('--testnet', 'also run a second network, with the next chain id')
    .addOption(
      new Option(
        '--enclaves <n>',
        'simulated enclaves; vm: one in a virtual machine; 2,vm: both; local: one without a security module; none: no prover',
      )
        .argParser(enclaves)
        .default(DEVNET_DEFAULTS.enclaves),
    )
    .option('--insecure-no-netns', 'start enclaves even where they cannot be cut off the network')
    .option(
      '--faults <file>',
      'take faults, and play the plan in this file; none: only those of rollbed fault',
    )
    .option(
      '--artifacts <dir>',
      "compiled contracts (Foundry's out, Hardhat's artifacts), to decode calls and logs in the explorer",
    )
    .option(
      '--builder-code-db <where>',
      'keep builder codes in PostgreSQL (postgres://…) or in a file of SQLite',
    )
    .option('--open', 'open the explorer in the browser when ready')
    .option('--actors', 'also run a proposer, a challenger and a registrar')
    .addOption(
      new Option('--seed <n>', 'seed of everything random')
        .argParser(wholeNumber('--seed', 0, Number.MAX_SAFE_INTEGER))
        .default(DEVNET_DEFAULTS.seed),
    )
    .addOption(
      new Option(
        '--genesis-time <s>',
        'Unix time at which L2 begins, and time runs from; the same image and config hash at every start',
      ).argParser(wholeNumber('--genesis-time', 1, 100_000_000_000)),
    )
    .option('--fork-url <url>', 'go on from the state of the chain that this RPC serves; no prover')
    .addOption(
      new Option(
        '--fork-block <n>',
        'number of the block to go on from; default: the newest',
      ).argParser(wholeNumber('--fork-block', 0, Number.MAX_SAFE_INTEGER)),
    )
    .option(
      '--fork-header <header>',
      'header of requests to --fork-url, as "Authorization: Bearer …"; may be repeated',
      collectHeader,
    )
    .option('--fork-cache <dir>', 'where what was read is kept; none: nowhere; default: ~/.cache')
    .option('--verbose', 'log what every part does to standard error')
    .action(async (flags: UpFlags) => {
      const signal = untilSignal()
      let started = false
      // A start may take long; leaving ends what it began: each part goes with this process.
      signal.then(() => started || process.exit(0))
      if (flags.configOut) requireReplaceable(resolve(flags.configOut))
      const plan = flags.faults === undefined ? undefined : await planIn(flags.faults)
      const fork = forkOf(flags)
      // A fork has the other chain's id and no prover, unless told.
      const isGiven = (name: string) => command.getOptionValueSource(name) !== 'default'
      const { startDevnet } = await import('#devnet/start-devnet')
      const devnet = await startDevnet({
        watchStalls: true,
        ports: portsFrom(flags.portBase),
        profile: flags.profile,
        blockTime: flags.blockTime,
        ...(flags.l1BlockTime && { l1BlockTime: flags.l1BlockTime }),
        flashblockTime: flags.flashblockTime,
        dataAvailability: flags.dataAvailability,
        historyBlocks: flags.historyBlocks,
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
      })
      started = true
      const forget: (() => void)[] = []
      const describeIn = (file: string) => forget.push(keepDevnetFile(file, devnet))
      const configOut = flags.configOut && resolve(flags.configOut)
      try {
        if (configOut) describeIn(configOut)
        try {
          if (configOut !== devnetFile() && (await describesRunning(devnetFile()))) {
            console.error(
              `Another devnet runs in this folder; commands started here go on using it. Give them the URLs of this one, or start it with --config-out in a folder of its own.`,
            )
          } else if (configOut !== devnetFile()) {
            describeIn(devnetFile())
          }
        } catch (error) {
          console.error(`Commands started here will need URLs: ${(error as Error).message}.`)
        }
        console.log(flags.json ? JSON.stringify(devnet.description) : banner(devnet))
        sayWhenItLeavesL1(devnet)
        if (plan) devnet.faults?.play(plan).done.catch((error) => console.error(error.message))
        if (flags.open) await openBrowser(devnet.description.dashboardUrl)
        const lost = await Promise.race([signal.then(() => undefined), devnet.lost])
        if (lost) throw lost
      } finally {
        // A proof in flight may want longer than a user who pressed Ctrl-C: then the exit cuts it off.
        const timer = systemClock.after(STOP_TIMEOUT, () => process.exit(1))
        await devnet.stop()
        for (const remove of forget) remove()
        timer.cancel()
      }
      finish(0)
    })
  for (const option of accessFlags()) command.addOption(option)
}

/** Nothing else on the terminal shows that nothing will be proven any more. */
function sayWhenItLeavesL1({ node: { chain } }: Devnet): void {
  const say = (divergence: Divergence) => {
    const { what, wayOut } = divergenceWords(divergence)
    console.error(`${what} ${wayOut}`)
  }
  const already = chain.divergence()
  if (already) say(already)
  chain.on('diverged', say)
}

/** @throws RollbedError USAGE */
function forkOf({ forkUrl, forkBlock, forkHeader, forkCache }: UpFlags): RemoteFork | undefined {
  if (forkUrl === undefined) {
    if ((forkBlock ?? forkHeader ?? forkCache) === undefined) return undefined
    throw new UsageError('--fork-block, --fork-header and --fork-cache need --fork-url.')
  }
  if (!/^https?:/.test(forkUrl) || !URL.canParse(forkUrl)) {
    throw new UsageError('--fork-url must be the http(s) URL of a JSON-RPC endpoint.')
  }
  return {
    url: forkUrl,
    block: forkBlock,
    headers: forkHeader,
    cache: forkCache === 'none' ? false : forkCache && resolve(forkCache),
  }
}

function collectHeader(value: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, text] = /^([\w-]+):\s*(.+)$/.exec(value) ?? []
  if (!name) throw new InvalidArgumentError('It must be a name, a colon and a value.')
  return { ...before, [name.toLowerCase()]: text! }
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
function enclaves(text: string): number | readonly EnclaveKind[] {
  if (text === 'none') return 0
  const count = wholeNumber('--enclaves', 0, 8)
  const kinds = text
    .split(',')
    .flatMap((part): readonly EnclaveKind[] =>
      part === 'vm' || part === 'local' ? [part] : enclaveKinds(count(part)),
    )
  if (kinds.length > 8) throw new UsageError(`--enclaves takes at most 8, not '${text}'.`)
  return kinds
}
