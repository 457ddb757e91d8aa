import { join } from 'node:path'
import type { Logger } from 'pino'
import { startStallWatch } from '#devnet/base/process/start-stall-watch'
import { SteadyClock } from '#protocol/clock/steady-clock'
import { systemClock } from '#protocol/clock/system-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { systemRng } from '#protocol/random/rng'
import { createLogger } from './base/create-logger.ts'
import { openFork } from './base/fork/open-fork.ts'
import type { DevnetDescription } from './base/options/devnet-description.ts'
import type { DevnetOptions } from './base/options/devnet-options.ts'
import { type DevnetSettings, devnetSettings } from './base/options/devnet-settings.ts'
import { portsFrom } from './base/ports.ts'
import { checkOpenFiles } from './base/process/check-open-files.ts'
import { ResourceStack } from './base/process/owned-resource.ts'
import { portBusy } from './base/process/port-busy.ts'
import { RecentList } from './base/process/recent-list.ts'
import { reportClockSteps } from './base/process/report-clock-steps.ts'
import { type Health, Supervisor } from './base/process/supervisor.ts'
import { startDashboard } from './dashboard/start-dashboard.ts'
import type { EventRecorder } from './faults/event-recorder.ts'
import type { FaultEngine } from './faults/fault-engine.ts'
import type { L1 } from './l1/start-l1.ts'
import type { Batcher } from './l2/batcher/start-batcher.ts'
import type { Node } from './l2/node/start-node.ts'
import { askerInProcess, askerOf } from './rollup/start/asker-of.ts'
import { describeDevnet } from './rollup/start/describe-devnet.ts'
import {
  type BranchBlock,
  type BranchOptions,
  type DevnetBranch,
  openBranch,
} from './rollup/start/open-branch.ts'
import type { ActorRound } from './rollup/start/start-actors.ts'
import { type KeptDevnet, startBase } from './rollup/start/start-base.ts'
import { startHeartbeat } from './rollup/start/start-heartbeat.ts'
import type { SecondNetwork, StateFolder } from './rollup/start/state-folder.ts'

export interface Devnet extends AsyncDisposable {
  readonly description: DevnetDescription
  readonly config: RollupConfig
  readonly node: Node
  readonly l1: L1
  readonly batcher: Batcher
  /** Takes faults, in a devnet that was started with `faults`. */
  readonly faults: FaultEngine | undefined
  /** What the devnet told of faults. */
  readonly recorder: EventRecorder
  /** The devnet's own temporary folder. */
  readonly workDir: string
  /**
   * A second chain upon a block of this one, which nothing else sees: for a test of its own. It has no
   * batches, proofs or deposits.
   * @param block default `pending`: all that is pre-confirmed is in the branch
   * @param options when its flashblocks come
   * @throws RollbedError DEVNET_REFUSED
   * @example
   * import { createPublicClient, http } from 'viem'
   * import { rollbedChain } from 'rollbed/viem'
   *
   * await using branch = await devnet.branch()
   * const chain = rollbedChain({ ...devnet.description, ...branch })
   * await createPublicClient({ chain, transport: http() }).getBlockNumber()
   */
  branch(block?: BranchBlock, options?: BranchOptions): Promise<DevnetBranch>
  /**
   * Lets so many seconds pass at once, for L1, L2, host, actors and certificates together: what falls
   * due meanwhile (blocks, batches, heads, proofs' time-outs, a game's end) has happened when it resolves.
   * It takes the machine some milliseconds for each block.
   * @param seconds may have a fraction: 0.2 is one flashblock
   * @example
   * await devnet.passTime(2)
   */
  passTime(seconds: number): Promise<void>
  /** Resolves with PART_LOST once a part died that cannot come back; stop the devnet then. */
  readonly lost: Promise<RollbedError>
  /** Which parts died, and what else is wrong. */
  health(): Health
  /**
   * Hears that `description` changed, in place: an enclave that died is back, with another key.
   * Returns how to stop listening.
   */
  onChange(listener: () => void): () => void
  /** Milliseconds from the call to ready. */
  readonly readyAfter: number
  /** Ends every process, socket and temporary file. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts the whole devnet in this process, with anvil and the enclaves as its children: what
 * `rollbed up` runs.
 *
 * @throws RollbedError ANVIL_MISSING, MACHINE_LIMIT, PORT_BUSY, L1_TOO_FAST, STATE_IN_USE, …; nothing is left running then
 * @example
 * await using devnet = await startDevnet()
 * const client = createPublicClient({ transport: http(devnet.description.rpcUrl) })
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  return await start(options)
}

/** @param second of the folder of `state` around, where this is a second network */
async function start(options: DevnetOptions, second?: SecondNetwork): Promise<Devnet> {
  const settings = devnetSettings(options)
  checkOpenFiles()
  const logger = createLogger(settings.logLevel, settings.logFormat)
  const resources = new ResourceStack()
  let supervisor: Supervisor | undefined
  try {
    const kept = settings.state && resources.add(await openKept(settings, logger, second))
    supervisor = new Supervisor({ clock: settings.machine, logger })
    const { remoteFork, machine } = settings
    const remote = remoteFork && resources.add(await openFork(remoteFork, machine))
    const chainId = options.chainId ?? remote?.chainId ?? settings.chainId
    const all = { ...settings, kept: kept || undefined, remote, chainId }
    return await compose(all, supervisor, logger, resources)
  } catch (error) {
    supervisor?.stop()
    settings.clock.release()
    await resources.stop()
    throw error
  }
}

/** Loaded only where it is asked for. */
async function openKept(
  settings: DevnetSettings,
  logger: Logger,
  second?: SecondNetwork,
): Promise<StateFolder> {
  const { openStateFolder } = await import('./rollup/start/state-folder.ts')
  return await openStateFolder(settings.state!, settings, { rng: systemRng, logger, second })
}

/** Rounds of actors that the dashboard remembers. */
const MAX_ROUNDS = 200

async function compose(
  settings: DevnetSettings & KeptDevnet,
  supervisor: Supervisor,
  logger: Logger,
  resources: ResourceStack,
): Promise<Devnet> {
  const { clock, machine, work, host, ports, access, blockTime, l1BlockTime } = settings
  if (!settings.manual && l1BlockTime < blockTime) throw l1TooFast(l1BlockTime, blockTime)
  const began = machine.now()
  if (machine instanceof SteadyClock) resources.defer(reportClockSteps(machine, logger))

  // Code loads while L1 starts.
  const loading = import('./rollup/start/start-services.ts')
  const base = await startBase(settings, supervisor, logger, resources)
  const { startServices } = await loading
  let description: DevnetDescription | undefined
  const services = await startServices(settings, base, logger, resources, () => description)
  if (settings.kept && !settings.kept.begun) {
    const { genesis, contracts, l1GenesisTime } = base
    const { imageHash } = services.proving
    const { config } = genesis
    settings.kept.begin({ config, contracts, l1GenesisTime, l1BlockTime, imageHash })
  }
  const facts = describeDevnet(settings, base, services)
  const health = () => supervisor.health()
  const rounds = new RecentList<ActorRound>(MAX_ROUNDS)
  const dashboard = resources.add(
    await startDashboard({
      ...{ host, port: ports.dashboard, access, health, description: facts },
      ...{ artifacts: settings.artifacts, proofs: services.proving.proofs, rounds },
    }),
  )
  if (settings.actors && facts.enclaves.length > 0) {
    const { startCallers } = await import('./rollup/start/start-callers.ts')
    const onRound = (round: ActorRound) => rounds.add(round)
    const devnet = { settings, base, services, facts }
    resources.add(await startCallers(devnet, logger, onRound))
  }
  const testnet = settings.testnet && resources.add(await startTestnet(settings))
  description = {
    ...facts,
    ...(testnet && { testnetRpcUrl: testnet.description.rpcUrl }),
    dashboardUrl: dashboard.url,
  }
  const { l1, node, genesis } = base
  if (settings.watchStalls) {
    const logFormat = logger.isLevelEnabled('warn') ? settings.logFormat : undefined
    resources.add(startStallWatch({ supervisor, clock: systemClock, logFormat }))
  }
  resources.add(
    startHeartbeat({
      supervisor,
      chain: node.chain,
      config: genesis.config,
      l1: work.client(l1.rpcUrl),
      l1BlockTime,
      clock: clock.forLooks(() => l1BlockTime * 1000),
      wall: machine,
    }),
  )
  // Where links take faults every caller is at a link.
  const inProcess = base.faults.engine ? undefined : services.rpc.connect
  const ask = inProcess ? askerInProcess(inProcess, '/') : askerOf(services.rpc.url)
  const stop = () => {
    supervisor.stop()
    clock.release()
    // From here on parts miss each other: that is no news.
    logger.level = 'silent'
    return resources.stop()
  }
  return {
    description,
    config: genesis.config,
    node,
    l1,
    batcher: services.batcher,
    faults: base.faults.engine,
    recorder: base.faults.recorder,
    workDir: base.workDir,
    lost: testnet ? Promise.race([supervisor.lost, testnet.lost]) : supervisor.lost,
    health,
    onChange: (listener) => supervisor.onReturn(listener),
    passTime: (seconds) => clock.travel(seconds * 1000),
    branch: (block, options) => openBranch(ask, block, options, inProcess),
    readyAfter: machine.now() - began,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Another network: what it shares with the first one is the process, not the chain. */
async function startTestnet(settings: DevnetSettings & KeptDevnet): Promise<Devnet> {
  const { machine: _machine, work: _work, ports, access, chainId, state, kept, ...same } = settings
  const options = {
    ...same,
    ...access,
    ...(state && { state: join(state, 'testnet') }),
    chainId: chainId + 1,
    testnet: false,
    plainRpc: false,
    actors: false,
    enclaves: 0,
    ports: { ...portsFrom(0), rpc: ports.testnetRpc },
  }
  const devnet = await start(options, kept?.second).catch((error: RollbedError) => {
    // Only its RPC has a port that somebody asked for.
    const isBusy = error.code === 'PORT_BUSY'
    throw isBusy ? portBusy(error.cause, 'second network', ports.testnetRpc) : error
  })
  if (kept && !kept.second.isBegun) kept.second.begin()
  return devnet
}

function l1TooFast(l1BlockTime: number, blockTime: number): RollbedError {
  return new RollbedError(
    'L1_TOO_FAST',
    `With L1 blocks every ${l1BlockTime} s and L2 blocks every ${blockTime} s L2 falls behind for ever.`,
    {
      hint: 'An L2 block takes at most one L1 block: give L1 the same block time or a longer one.',
    },
  )
}
