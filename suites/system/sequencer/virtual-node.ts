import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import type { PendingBlock } from '#devnet/l2/node/chain-view'
import { type Node, type StartNodeParameters, startNode } from '#devnet/l2/node/start-node'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { roleKeys } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Fork } from '#protocol/types/execution-config'
import { type GeneratedL1, generatedL1, l1Hash, portal } from './generated-l1.ts'

export const GENESIS_TIME = 1_700_000_000
/** Seconds; three L2 blocks in an epoch. */
export const L1_BLOCK_TIME = 6

export interface VirtualNode {
  node: Node
  clock: VirtualClock
  l1: GeneratedL1
  config: RollupConfig
  /** Everything published, oldest first. */
  flashblocks: PendingBlock[]
}

/** A real node with the real executor on a virtual clock and a generated L1. */
export async function startVirtualNode(
  options: Partial<StartNodeParameters> & {
    fork?: Fork
    clock?: VirtualClock
    /** What the node reads, over `clock`; the same by default. */
    nodeClock?: Clock
    /** Seconds. */
    maxSequencerDrift?: number
    /** Of Base; default: none. */
    upgrades?: UpgradeOptions
  } = {},
): Promise<VirtualNode> {
  const {
    fork = 'jovian',
    clock = new VirtualClock(GENESIS_TIME * 1000),
    nodeClock = clock,
    maxSequencerDrift = 1800,
    upgrades = {},
    ...rest
  } = options
  const l1 = generatedL1(clock, GENESIS_TIME, L1_BLOCK_TIME)
  const contracts = { ...l1ContractAddresses(roleKeys.deployer.address), optimismPortal: portal }
  const l1Start = { number: 0n, hash: l1Hash(0n), timestamp: GENESIS_TIME }
  const genesis = await rollupGenesis({ l1Start, contracts, fork, blockTime: 2, upgrades })
  const { block, store } = genesis
  const config = { ...genesis.config, maxSequencerDrift }
  const reads = { l1RpcUrl: 'unused', l1View: l1 }
  const parameters = { config, genesis: block, store, clock: nodeClock, ...reads }
  const node = await startNode({ ...parameters, ...rest })
  const flashblocks: PendingBlock[] = []
  const first = node.chain.pending()
  if (first) flashblocks.push(first)
  node.chain.on('flashblock', (pending) => flashblocks.push(pending))
  return { node, clock, l1, config, flashblocks }
}
