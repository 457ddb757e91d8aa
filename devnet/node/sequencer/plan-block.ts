import type { L1Header } from '../../../enclave-sim/derivation/l1-header.ts'
import { openEpoch } from '../../../enclave-sim/derivation/open-epoch.ts'
import { payloadAttributes } from '../../../enclave-sim/derivation/payload-attributes.ts'
import type { RollupConfig, SystemConfig } from '../../../enclave-sim/derivation/rollup-config.ts'
import type { Block, PayloadAttributes } from '../../../enclave-sim/execution/types.ts'
import type { L1View } from './l1-view.ts'
import { selectOrigin } from './select-origin.ts'

/** Where the chain stands in L1's terms after a block. */
export interface ChainPosition {
  origin: L1Header
  /** Position of the block in its epoch. */
  sequenceNumber: bigint
  /** In force for the block. */
  systemConfig: SystemConfig
}

/** Everything about a block but its users' transactions. */
export interface BlockPlan {
  parent: Block
  position: ChainPosition
  attributes: PayloadAttributes
  allowsTransactions: boolean
}

/** Decides on the block after `parent` from what is known of L1. Waits for nothing. */
export async function planBlock(
  config: RollupConfig,
  l1: L1View,
  confDepth: bigint,
  parent: Block,
  after: ChainPosition,
): Promise<BlockPlan> {
  const timestamp = parent.header.timestamp + BigInt(config.blockTime)
  const next = l1.block(after.origin.number + 1n)
  const { origin, sequenceNumber, allowsTransactions } = selectOrigin({
    parent: after,
    next: next?.header,
    l1Head: l1.head(),
    timestamp,
    maxSequencerDrift: BigInt(config.maxSequencerDrift),
    confDepth,
  })
  const receipts = async () => next?.receipts ?? []
  const { systemConfig, deposits } =
    sequenceNumber === 0n
      ? await openEpoch(config, { receipts }, origin, after.systemConfig)
      : { systemConfig: after.systemConfig, deposits: [] }
  const attributes = payloadAttributes({
    config,
    systemConfig,
    l1Origin: origin,
    sequenceNumber,
    timestamp,
    deposits,
    transactions: [],
  })
  return {
    parent,
    position: { origin, sequenceNumber, systemConfig },
    attributes,
    allowsTransactions,
  }
}
