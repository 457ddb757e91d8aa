import type { L1Header } from '#protocol/derivation/l1-header'
import type { SystemConfig } from '#protocol/derivation/rollup-config'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { BlockConditions } from './block-conditions.ts'

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
  /** Of the block, since 1970; the seconds of its attributes are these. */
  timestampMs: bigint
  /** In place of the fee that follows from the parent; wei. */
  baseFeePerGas: bigint | undefined
  /** It runs too far ahead of L1: by the rules it may hold nothing but deposits. */
  isDrifted: boolean
  conditions: BlockConditions
  /** The rule that its conditions break, so that nobody can derive it. */
  divergence: string | undefined
}
