import type { OpenBlock } from '#protocol/execution/executor'
import type { Header, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { Transaction } from '#protocol/types/transaction'
import type { CallContext } from '../calls/run-call.ts'

/** A block to execute again: sealed, pre-confirmed or only thought of. Plain data. */
export interface Replay {
  parent: Header
  parentHash: Hash
  attributes: Omit<PayloadAttributes, 'transactions'>
  /** Where it may not be what follows from the parent. */
  baseFeePerGas?: bigint
  transactions: readonly Transaction[]
}

/** Opens the block. Nothing reaches the store as long as nobody asks for its roots. */
export function openReplay(
  context: CallContext,
  replay: Replay,
  { canRewind = false } = {},
): Promise<OpenBlock> {
  const { executor, store, blockHash } = context
  const { parent, parentHash, attributes, baseFeePerGas } = replay
  return executor.openBlock({
    store,
    parent,
    parentHash,
    blockHash,
    canRewind,
    attributes: { ...attributes, transactions: [] },
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
  })
}
