import { rmSync } from 'node:fs'
import type { Logger } from 'pino'
import { ForkError } from '#devnet/base/fork/fork-error'
import type { OpenedFork } from '#devnet/base/fork/open-fork'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import type { ResourceStack } from '#devnet/base/process/owned-resource'
import { makeRunFolder, sweepRunFolders } from '#devnet/base/process/run-folder'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { childFaults } from '#devnet/faults/child-faults'
import { type DevnetFaults, devnetFaults } from '#devnet/faults/devnet-faults'
import { l1Faults } from '#devnet/faults/l1-faults'
import { KZG_CACHE, keptPoints } from '#devnet/l1/blobs/kept-points'
import { createKzg, type Kzg } from '#devnet/l1/blobs/kzg'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import type { Node } from '#devnet/l2/node/start-node'
import { startLaunchers } from '#devnet/proving/enclaves/start-launchers'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupGenesis } from '../genesis/rollup-genesis.ts'
import type { BegunEnclaves } from './begin-enclaves.ts'
import { RealLinks } from './real-links.ts'
import type { StateFolder } from './state-folder.ts'
import { watchChain } from './watch-chain.ts'

/** What every service of a devnet stands on. */
export interface DevnetBase {
  supervisor: Supervisor
  l1: L1
  links: RealLinks
  /** Of both phases: the proof contracts come with the services. */
  contracts: L1Addresses
  /** Seconds; the timestamp of L1's block 0. */
  l1GenesisTime: number
  kzg: Kzg
  genesis: RollupGenesis
  /** They boot while the services start. */
  enclaves: BegunEnclaves
  node: Node
  faults: DevnetFaults
  /** For files that go away with the devnet. */
  workDir: string
}

export interface KeptDevnet {
  /** Where the devnet outlives the process. */
  kept?: StateFolder | undefined
  /** The chain that L2 goes on from. */
  remote?: OpenedFork | undefined
}

/**
 * The first step of a devnet: L1 with the bridge on it, the L2 genesis that follows from both, and
 * the node that builds on it; enclaves of that chain begin to boot. Nothing is served yet but L1.
 *
 * @throws RollbedError ANVIL_MISSING, PORT_BUSY, HISTORY_TOO_SHORT, …; `resources` owns what was started
 */
export async function startBase(
  settings: DevnetSettings & KeptDevnet,
  supervisor: Supervisor,
  logger: Logger,
  resources: ResourceStack,
): Promise<DevnetBase> {
  const { clock, work, host, ports, access, l1BlockTime, kept } = settings
  const workDir = ownFolder(resources)
  // The first block mined is of now, and not of the second in which it comes to be mined. Where a time
  // was asked for, a machine that took seconds to come here changes nothing.
  const l2GenesisTime = beginning(settings)
  const genesisTime = kept?.begun?.l1GenesisTime ?? l2GenesisTime - l1BlockTime
  // The largest part of the code, loaded while anvil starts.
  const loadingGenesis = import('../genesis/begin-rollup.ts')
  const loadingEnclaves = import('./begin-enclaves.ts')
  const loadingNode = import('../parts/node-part.ts')
  const processes = settings.enclaves.filter((kind) => kind !== 'vm')
  const launchers = resources.add(startLaunchers(processes.length))
  let takenByL2: () => number | undefined = () => undefined
  const faults = devnetFaults({
    isFaulty: settings.faults,
    seed: settings.seed,
    ...{ clock, machine: settings.machine, workDir, resources },
  })
  const { engine, recorder, lines } = faults
  const l1 = resources.add(
    await lines.serve({
      link: 'link:client-l1',
      ...{ host, port: ports.l1, service: 'L1' },
      start: (port) =>
        startL1({
          clock,
          genesisTime,
          blockTime: l1BlockTime,
          waits: !kept?.begun,
          takenByL2: () => takenByL2(),
          record: kept?.l1,
          workDir,
          machine: settings.machine,
          silenceLimit: settings.l1SilenceLimit,
          logger,
          ...{ host, port, access, supervisor },
        }),
    }),
  )
  // A fault that outlives the devnet would leave stopped children, a plan its timers; what was done to L1 is ended there.
  resources.defer(async () => engine?.stop())
  work.include(() => l1.idle())
  supervisor.watch({ part: 'L1', running: l1 })
  const links = new RealLinks({ lines, work })
  links.lead('l1', l1.rpcUrl)
  engine?.register('chain:l1', l1Faults(l1, httpRpcClient(l1.rpcUrl)))
  engine?.register(
    'process:l1',
    childFaults(() => l1.pid),
  )
  const { contracts, genesis } = goOn(settings) ?? (await begin(settings, l1, () => loadingGenesis))
  const { beginEnclaves } = await loadingEnclaves
  const enclaves = await beginEnclaves(
    settings,
    {
      genesis,
      l1,
      supervisor,
      launchers,
      deployedImage: kept?.begun?.imageHash,
      engine,
      recorder,
      workDir,
      logger,
    },
    resources,
  )
  const { faultyStateDisk, nodePart } = await loadingNode
  const node = resources.add(
    await nodePart.start(
      {
        clock,
        looks: clock.forLooks(() => (l1BlockTime * 1000) / 2),
        links: await links.of(nodePart),
        l1News: l1.onBlock,
      },
      {
        genesis,
        hashBelow: settings.remote?.hashOf,
        flashblockTime: settings.flashblockTime,
        historyBlocks: settings.historyBlocks,
        historyMemory: settings.historyMemory,
        kept: kept?.l2,
        manual: settings.manual,
        disk: engine && faultyStateDisk(engine),
        logger,
      },
    ),
  )
  watchChain(node.chain, supervisor)
  takenByL2 = () => Number(l2Parent(genesis.config, node.chain.latest()).l1Origin.number)
  // No thread is started before the first blob.
  const kzg = resources.add(createKzg(keptPoints(KZG_CACHE)))
  return {
    ...{ supervisor, l1, links, contracts, kzg, genesis, enclaves, node, faults, workDir },
    l1GenesisTime: genesisTime,
  }
}

type Genesis = Pick<DevnetBase, 'contracts' | 'genesis'>

/** Seconds that a forked block may be ahead: its chain was started before, and seals on time. */
const USUALLY_AHEAD = 60

/** Seconds; after the block that is forked. @throws ForkError FORK_BLOCK_IN_FUTURE */
function beginning({ clock, genesisTime, remote }: DevnetSettings & KeptDevnet): number {
  const now = genesisTime ?? Math.floor(clock.now() / 1000)
  const after = remote ? Number(remote.block.timestamp) + 1 : 0
  if (after <= now) return now
  if (genesisTime === undefined && after <= now + USUALLY_AHEAD) return after
  throw new ForkError(
    'FORK_BLOCK_IN_FUTURE',
    `Block ${remote?.block.number} of the forked chain is ${after - 1 - now} s later than the devnet is to begin.`,
    {
      hint: `Begin later, by --genesis-time ${after} or more, or name an older block by --fork-block.`,
    },
  )
}

async function begin(
  settings: DevnetSettings & KeptDevnet,
  l1: L1,
  load: () => Promise<typeof import('../genesis/begin-rollup.ts')>,
): Promise<Genesis> {
  const { fork, blockTime, chainId: l2ChainId, remote, upgrades, journalEra } = settings
  const { beginRollup } = await load()
  // Slot 1: of the time that L2 begins at.
  const mine = () => l1.mineAhead()
  return await beginRollup(
    { rpcUrl: l1.rpcUrl, mine },
    { fork, blockTime, l2ChainId, remote, upgrades, journalEra },
  )
}

/** Undefined where there is nothing to go on from. */
function goOn({ kept }: KeptDevnet): Genesis | undefined {
  const block = kept?.l2.blocks.byNumber(0n)
  if (!kept?.begun || !block) return undefined
  const { config, contracts } = kept.begun
  return { contracts, genesis: { config, block, store: kept.l2.store } }
}

/** A temporary folder that is gone with the devnet, also when the process ends without a stop. */
function ownFolder(resources: ResourceStack): string {
  sweepRunFolders()
  const folder = makeRunFolder()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  resources.defer(() => {
    process.off('exit', remove)
    remove()
  })
  return folder
}
