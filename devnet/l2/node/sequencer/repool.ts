import type { Block } from '#protocol/types/block'
import type { Transaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import type { ChainControl } from '../chain-control.ts'
import type { PendingBlock } from '../chain-view.ts'

/**
 * Puts what stood in blocks that are gone back into the pool, in its old order.
 * @param removed newest first
 */
export async function repool(
  chain: Pick<ChainControl, 'takeBack'>,
  removed: readonly Block[],
  pending: PendingBlock | undefined,
): Promise<void> {
  const sealed = removed.toReversed().flatMap(({ transactions }) => transactions)
  const all: Transaction[] = [...sealed, ...(pending?.transactions ?? [])]
  for (const each of all) if (!isDeposit(each)) await chain.takeBack(each)
}
