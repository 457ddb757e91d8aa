import type { Block } from '../../../enclave-sim/protocol/types/block.ts'
import type { Transaction } from '../../../enclave-sim/protocol/types/transaction.ts'
import { isDeposit } from '../../../enclave-sim/protocol/types/transaction.ts'
import type { ChainControl } from '../chain/chain-control.ts'
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
