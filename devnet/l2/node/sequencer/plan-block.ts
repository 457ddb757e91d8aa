import { timestampMs } from '#protocol/derivation/base-time'
import { advanceEpoch } from '#protocol/derivation/open-epoch'
import { payloadAttributes } from '#protocol/derivation/payload-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { nextBlockMs } from '#protocol/upgrades/block-times'
import { type BlockConditions, conditionDivergence } from '../open-block/block-conditions.ts'
import type { BlockPlan, ChainPosition } from '../open-block/block-plan.ts'
import type { L1View } from './l1-view.ts'
import { selectOrigin } from './select-origin.ts'

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
  const parentMs = timestampMs(parent)
  const dueMs = nextBlockMs(config, parentMs)
  const blockMs = prescribedMs(parentMs, conditions) ?? dueMs
  const timestamp = blockMs / 1000n
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
    { ...after, l1Origin: after.origin, timestamp: parent.header.timestamp },
    blockMs,
  )
  const derived = payloadAttributes({
    config,
    systemConfig,
    l1Origin: origin,
    sequenceNumber,
    number: parent.header.number + 1n,
    timestampMs: blockMs,
    deposits,
    transactions: [],
  })
  const attributes = {
    ...derived,
    prevRandao: conditions.prevRandao ?? derived.prevRandao,
    feeRecipient: conditions.feeRecipient ?? derived.feeRecipient,
    gasLimit: conditions.gasLimit ?? derived.gasLimit,
  }
  return {
    parent,
    parentStateRoot: parameters.parentStateRoot,
    position: { origin, sequenceNumber, systemConfig },
    attributes,
    timestampMs: blockMs,
    baseFeePerGas: conditions.baseFeePerGas,
    isDrifted: !allowsTransactions,
    conditions,
    divergence: blockMs === dueMs ? conditionDivergence(conditions) : 'timestamp',
  }
}

/** The time that cheats ask for. */
function prescribedMs(
  parentMs: bigint,
  { timestampMs, timestampInterval }: BlockConditions,
): bigint | undefined {
  if (timestampMs !== undefined) return timestampMs
  return timestampInterval === undefined ? undefined : parentMs + timestampInterval * 1000n
}
