import type { L1Header } from '#protocol/derivation/l1-header'
import { advanceEpoch } from '#protocol/derivation/open-epoch'
import { payloadAttributes } from '#protocol/derivation/payload-attributes'
import type { RollupConfig, SystemConfig } from '#protocol/derivation/rollup-config'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { type BlockConditions, conditionDivergence } from './block-conditions.ts'
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
  /** The state that the block begins with; the parent's own unless a cheat changed it. */
  parentStateRoot: Hash
  position: ChainPosition
  attributes: PayloadAttributes
  /** In place of the fee that follows from the parent; wei. */
  baseFeePerGas: bigint | undefined
  /** It runs too far ahead of L1: by the rules it may hold nothing but deposits. */
  isDrifted: boolean
  conditions: BlockConditions
  /** The rule that its conditions break, so that nobody can derive it. */
  divergence: string | undefined
}

export interface PlanBlockParameters {
  config: RollupConfig
  l1: L1View
  /** L1 blocks on top of an origin. */
  confDepth: bigint
  parent: Block
  parentStateRoot: Hash
  /** Of the parent. */
  position: ChainPosition
  conditions: BlockConditions
}

/** Decides on the block after `parent` from what is known of L1. Waits for nothing. */
export async function planBlock(parameters: PlanBlockParameters): Promise<BlockPlan> {
  const { config, l1, confDepth, parent, position: after, conditions } = parameters
  const step = conditions.timestampInterval ?? BigInt(config.blockTime)
  const timestamp = conditions.timestamp ?? parent.header.timestamp + step
  const next = l1.block(after.origin.number + 1n)
  const { origin, allowsTransactions } = selectOrigin({
    parent: after,
    next: next?.header,
    l1Head: l1.head(),
    timestamp,
    maxSequencerDrift: BigInt(config.maxSequencerDrift),
    confDepth,
  })
  const receipts = async () => next?.receipts ?? []
  const { sequenceNumber, systemConfig, deposits } = await advanceEpoch(
    config,
    { receipts },
    origin,
    { ...after, l1Origin: after.origin },
  )
  const derived = payloadAttributes({
    config,
    systemConfig,
    l1Origin: origin,
    sequenceNumber,
    timestamp,
    deposits,
    transactions: [],
  })
  const attributes = {
    ...derived,
    prevRandao: conditions.prevRandao ?? derived.prevRandao,
    feeRecipient: conditions.feeRecipient ?? derived.feeRecipient,
    gasLimit: conditions.gasLimit ?? derived.gasLimit,
  }
  const isOnTime = timestamp === parent.header.timestamp + BigInt(config.blockTime)
  return {
    parent,
    parentStateRoot: parameters.parentStateRoot,
    position: { origin, sequenceNumber, systemConfig },
    attributes,
    baseFeePerGas: conditions.baseFeePerGas,
    isDrifted: !allowsTransactions,
    conditions,
    divergence: isOnTime ? conditionDivergence(conditions) : 'timestamp',
  }
}
