import type { OpenedFork } from '#devnet/base/fork/open-fork'
import { writeForkAlloc } from '#devnet/base/fork/write-fork-alloc'
import { scheduleOf, type UpgradeOptions } from '#devnet/base/options/upgrade-options'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import type { L1BlockRef } from '#devnet/l1/start-l1'
import { LayeredStore } from '#devnet/l2/node/rpc/simulate/layered-store'
import { batchInbox, l1ChainId, l2ChainId as usualChainId } from '#fixtures/chain/constants'
import type { RollupConfig, SystemConfig } from '#protocol/derivation/rollup-config'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Block } from '#protocol/types/block'
import type { Fork } from '#protocol/types/execution-config'
import type { JournalEra } from '#protocol/types/journal-era'
import type { Schedule } from '#protocol/types/schedule'
import type { StateStore } from '#protocol/types/state'
import { isActive } from '#protocol/upgrades/schedule'
import { USUAL_JOURNAL_ERA } from '#protocol/upgrades/upgrade-table'
import { devnetAlloc } from './devnet-alloc.ts'
import { devnetSystemConfig } from './devnet-system-config.ts'

const GENESIS_BASE_FEE = 1_000_000n

export interface RollupGenesis {
  config: RollupConfig
  block: Block
  /** Holds the genesis state. */
  store: StateStore
}

/**
 * The L2 chain that starts at an L1 block: its rollup configuration, genesis block and state. The
 * state is the same on every devnet with the same chain id that is no fork; the block's hash also depends
 * on the time of its L1 block.
 * @example
 * const { config, block } = await rollupGenesis({ l1Start, contracts, fork: 'jovian', blockTime: 2, l2ChainId })
 */
export async function rollupGenesis(options: {
  l1Start: L1BlockRef
  contracts: L1Addresses
  fork: Fork
  /** Seconds between L2 blocks. */
  blockTime: number
  /** What L1's SystemConfig starts with; default `devnetSystemConfig`. */
  systemConfig?: SystemConfig
  l2ChainId?: number
  /** The L2 goes on from this chain's block, with its state. */
  remote?: OpenedFork | undefined
  /** When upgrades of Base come; default: never. */
  upgrades?: UpgradeOptions
  /** What journals say of them. */
  journalEra?: JournalEra | undefined
}): Promise<RollupGenesis> {
  const { l1Start, contracts, fork, blockTime, l2ChainId = usualChainId } = options
  const { systemConfig: system = devnetSystemConfig, remote, upgrades: wanted = {} } = options
  const store = remote ? new LayeredStore(remote.state) : new MemoryStore()
  const number = remote ? remote.block.number + 1n : 0n
  const times = {
    genesis: { l2: { number: Number(number) }, l2Time: l1Start.timestamp },
    blockTime,
  }
  const upgrades = scheduleOf(wanted, times)
  const baseTime = baseTimeOf(upgrades, l1Start.timestamp)
  const alloc = devnetAlloc({ fork, contracts, chainId: l2ChainId, baseTime })
  const block = genesisBlock({
    store,
    stateRoot: await (remote ? writeForkAlloc : writeAlloc)(store, alloc),
    fork,
    timestamp: BigInt(l1Start.timestamp),
    gasLimit: system.gasLimit,
    baseFeePerGas: GENESIS_BASE_FEE,
    eip1559: { denominator: system.eip1559Denominator, elasticity: system.eip1559Elasticity },
    minBaseFee: system.minBaseFee,
    ...(remote && { overrides: { number, parentHash: remote.block.hash } }),
  })
  const config: RollupConfig = {
    l1ChainId,
    l2ChainId,
    fork,
    ...(upgrades && { upgrades, journal: options.journalEra ?? USUAL_JOURNAL_ERA }),
    genesis: {
      l1: { hash: l1Start.hash, number: Number(l1Start.number) },
      l2: { hash: block.hash, number: Number(number) },
      l2Time: l1Start.timestamp,
      systemConfig: system,
    },
    blockTime,
    maxSequencerDrift: 1800,
    sequencerWindowSize: 3600,
    channelTimeout: 50,
    batchInboxAddress: batchInbox,
    depositContractAddress: contracts.optimismPortal,
    l1SystemConfigAddress: contracts.systemConfig,
  }
  return { config, block, store }
}

function baseTimeOf(upgrades: Schedule | undefined, l2Time: number): 'works' | 'waits' | undefined {
  if (isActive(upgrades, 'denim', BigInt(l2Time) * 1000n)) return 'works'
  return (upgrades?.denim ?? 'never') === 'never' ? undefined : 'waits'
}
