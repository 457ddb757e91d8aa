import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@ethereumjs/util'
import type { Clock } from '../enclave-sim/protocol/clock/clock.ts'
import { SteadyClock } from '../enclave-sim/protocol/clock/steady-clock.ts'
import { systemClock } from '../enclave-sim/protocol/clock/system-clock.ts'
import type { RollupConfig } from '../enclave-sim/protocol/derivation/rollup-config.ts'
import { RollbedError } from '../enclave-sim/protocol/errors/rollbed-error.ts'
import { seededRng } from '../enclave-sim/protocol/random/rng.ts'
import type { Fork } from '../enclave-sim/protocol/types/execution-config.ts'
import { l1ChainId, l2ChainId } from '../fixtures/chain/constants.ts'
import { roleKeys, userKeys } from '../fixtures/chain/dev-keys.ts'
import { startActors } from './actors/start-actors.ts'
import { type Batcher, startBatcher } from './batcher/start-batcher.ts'
import { openCodeRegistry } from './builder-codes/code-registry.ts'
import { startBuilderCodeApi } from './builder-codes/start-builder-code-api.ts'
import { createLogger, type LogLevel } from './create-logger.ts'
import { startDashboard } from './dashboard/start-dashboard.ts'
import type { DataAvailability, DevnetDescription, Profile } from './devnet-description.ts'
import type { AccessOptions } from './json-rpc/guard-access.ts'
import { httpRpcClient } from './json-rpc/http-rpc-client.ts'
import { beaconClient } from './l1/blobs/beacon-client.ts'
import { blobSource } from './l1/blobs/blob-source.ts'
import { createKzg } from './l1/blobs/kzg.ts'
import { deployBridgeContracts } from './l1/deploy-bridge-contracts.ts'
import { guardL1 } from './l1/guard-l1.ts'
import { type L1, type L1BlockRef, startL1 } from './l1/start-l1.ts'
import { startNodeRpc } from './node/rpc/start-node-rpc.ts'
import { type Node, startNode } from './node/start-node.ts'
import { packageVersion } from './package-version.ts'
import { type Ports, portsFrom } from './ports.ts'
import { ResourceStack } from './process/owned-resource.ts'
import { reportClockSteps } from './process/report-clock-steps.ts'
import { makeRunFolder, sweepRunFolders } from './process/run-folder.ts'
import { startRollupRpc } from './rollup-rpc/start-rollup-rpc.ts'
import { startSafeHead } from './safe-head/start-safe-head.ts'
import { devnetSystemConfig, rollupGenesis } from './start/rollup-genesis.ts'
import { startProving } from './start/start-proving.ts'

export interface DevnetOptions extends AccessOptions {
  /** Default: free ports. */
  ports?: Ports
  /** Default 127.0.0.1. */
  host?: string
  /** Default `spec`. */
  profile?: Profile
  /** Default `jovian`. */
  fork?: Fork
  /** Seconds between L2 blocks; default 2. */
  blockTime?: number
  /** Milliseconds between flashblocks; default 200. */
  flashblockTime?: number
  /** Seconds between L1 blocks; `blockTime` by default, and never shorter. */
  l1BlockTime?: number
  /** Milliseconds between two postings of batches; default 2000. */
  batchInterval?: number
  /** Where on L1 batches are put; default `calldata`. */
  dataAvailability?: DataAvailability
  /** Sealed blocks whose state is kept; default 2,000, at least 256. Blocks and receipts stay for good. */
  historyBlocks?: number
  /** Only `node.flashblock()` and `node.seal()` move L2. */
  manual?: boolean
  /** Also serve the chain at an endpoint without pre-confirmations; default false. */
  plainRpc?: boolean
  /**
   * Simulated enclaves; default 1, 0 for no prover. `vm`: one enclave in a virtual machine, on
   * AF_VSOCK; it takes a dozen seconds, and what `rollbed doctor` lists.
   */
  enclaves?: number | 'vm'
  /** Start enclaves even where the machine cannot cut them off the network; default false. */
  insecureNoIsolation?: boolean
  /** Run a proposer, a challenger and a registrar too; default false. */
  actors?: boolean
  /** Default 0. */
  seed?: number
  clock?: Clock
  logLevel?: LogLevel
}

export interface Devnet extends AsyncDisposable {
  readonly description: DevnetDescription
  readonly config: RollupConfig
  readonly node: Node
  readonly l1: L1
  readonly batcher: Batcher
  /** The devnet's own temporary folder. */
  readonly workDir: string
  /** Milliseconds from the call to ready. */
  readonly readyAfter: number
  /** Ends every process, socket and temporary file. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts the whole devnet in this process, with anvil and the enclaves as its children: what
 * `rollbed up` runs.
 *
 * @throws RollbedError ANVIL_MISSING, PORT_BUSY, L1_TOO_FAST, …; nothing is left running then
 * @example
 * await using devnet = await startDevnet()
 * const client = createPublicClient({ transport: http(devnet.description.rpcUrl) })
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const resources = new ResourceStack()
  try {
    return await compose(options, resources)
  } catch (error) {
    await resources.stop()
    throw error
  }
}

async function compose(options: DevnetOptions, resources: ResourceStack): Promise<Devnet> {
  const { host = '127.0.0.1', ports = portsFrom(0), profile = 'spec', fork = 'jovian' } = options
  const { clock = systemClock, seed = 0, blockTime = 2, manual = false } = options
  const { l1BlockTime = blockTime } = options
  if (l1BlockTime < blockTime) throw l1TooFast(l1BlockTime, blockTime)
  const access = { allowHosts: options.allowHosts, allowOrigins: options.allowOrigins }
  const logger = createLogger(options.logLevel ?? 'warn')
  if (clock instanceof SteadyClock) resources.defer(reportClockSteps(clock, logger))
  const rng = seededRng(seed)
  const began = clock.now()
  sweepRunFolders()
  const workDir = makeRunFolder()
  const removeWorkDir = () => rmSync(workDir, { recursive: true, force: true })
  process.once('exit', removeWorkDir)
  resources.defer(() => {
    process.off('exit', removeWorkDir)
    removeWorkDir()
  })

  const genesisTime = Math.floor(began / 1000) - l1BlockTime
  const l1 = resources.add(await startL1({ clock, genesisTime, blockTime: l1BlockTime, logger }))
  const anvilPort = Number(new URL(l1.rpcUrl).port)
  const guarded = resources.add(await guardL1({ anvilPort, host, port: ports.l1, access }))
  let l1Start: L1BlockRef | undefined
  const contracts = await deployBridgeContracts({
    rpcUrl: l1.rpcUrl,
    chainId: l1ChainId,
    systemConfig: devnetSystemConfig,
    mine: async () => {
      l1Start = await l1.mine()
    },
  })
  // No thread is started before the first blob.
  const kzg = resources.add(createKzg())
  const genesis = await rollupGenesis({ l1Start: l1Start!, contracts, fork, blockTime })
  const { config } = genesis

  const node = resources.add(
    await startNode({
      config,
      genesis: genesis.block,
      store: genesis.store,
      l1RpcUrl: l1.rpcUrl,
      clock,
      flashblockTime: options.flashblockTime ?? 200,
      historyBlocks: options.historyBlocks ?? 2000,
      manual,
      logger,
    }),
  )
  const execution = { chainId: BigInt(l2ChainId), fork }
  const registry = openCodeRegistry(join(workDir, 'builder-codes.sqlite'), rng)
  resources.defer(() => registry.close())
  const walletOf = (code: string) => registry.walletOf(code)
  const cheats = { control: node.cheats, devKeys: userKeys }
  const view = {
    chain: node.chain,
    config: execution,
    clock,
    host,
    access,
    profile,
    blockTime,
    walletOf,
    logger,
  }
  const rpc = resources.add(await startNodeRpc({ ...view, cheats, port: ports.rpc }))
  const plainRpc = options.plainRpc
    ? resources.add(await startNodeRpc({ ...view, port: ports.plainRpc, preconfirmations: false }))
    : undefined
  const [proving, api, batcher, , rollupRpc] = await Promise.all([
    startProving(
      {
        genesis,
        l1,
        kzg,
        contracts,
        l2RpcUrl: rpc.url,
        enclaves: options.enclaves ?? 1,
        registerLater: options.actors ?? false,
        insecureNoIsolation: options.insecureNoIsolation ?? false,
        host,
        port: ports.prover,
        access,
        workDir,
        version: packageVersion,
        clock,
        logger,
      },
      resources,
    ),
    startBuilderCodeApi({ registry, host, port: ports.api, access }).then((it) =>
      resources.add(it),
    ),
    startBatcher({
      chain: node.chain,
      l1RpcUrl: l1.rpcUrl,
      privateKey: roleKeys.batcher.privateKey,
      config,
      clock,
      interval: options.batchInterval ?? 2000,
      kzg: options.dataAvailability === 'blobs' ? kzg : undefined,
      logger,
    }).then((it) => resources.add(it)),
    startSafeHead({
      chain: node.chain,
      l1RpcUrl: l1.rpcUrl,
      blobs: blobSource(beaconClient(l1.beaconUrl), kzg),
      config,
      clock,
      adopt: (parent, attributes) => node.adopt(parent, attributes),
      onSafe: (block) => node.chain.markSafe(block),
      onRewind: (block) => node.chain.unmarkSafe(block),
      onFinalized: (block) => node.chain.markFinalized(block),
      logger,
    }).then((it) => resources.add(it)),
    startRollupRpc({
      chain: node.chain,
      config,
      l1: httpRpcClient(l1.rpcUrl),
      listen: { host, port: ports.rollupRpc },
      access,
      clock,
    }).then((it) => resources.add(it)),
  ])
  const dashboard = resources.add(
    await startDashboard({ host, port: ports.dashboard, access, describe: () => description }),
  )

  const description: DevnetDescription = {
    rpcUrl: rpc.url,
    wsUrl: rpc.wsUrl,
    apiUrl: api.url,
    proverUrl: proving.proverUrl,
    l1RpcUrl: guarded.url,
    l1BeaconUrl: guarded.url,
    rollupRpcUrl: rollupRpc.url,
    dashboardUrl: dashboard.url,
    ...(plainRpc && { plainRpcUrl: plainRpc.url }),
    chainId: l2ChainId,
    l1ChainId,
    accounts: [...userKeys],
    contracts,
    enclaves: proving.enclaves,
    attestationRoot: bytesToHex(proving.attestationRoot),
    profile,
    seed,
  }
  if (options.actors && proving.enclaves.length > 0) {
    const trustedRoot = proving.attestationRoot
    resources.add(startActors({ ...description, trustedRoot, clock, logger }))
  }
  const stop = () => {
    // From here on parts miss each other: that is no news.
    logger.level = 'silent'
    return resources.stop()
  }
  return {
    description,
    config,
    node,
    l1,
    batcher,
    workDir,
    readyAfter: clock.now() - began,
    stop,
    [Symbol.asyncDispose]: stop,
  }
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
