import type { Logger } from 'pino'
import type { Block } from '../../../enclave-sim/protocol/types/block.ts'
import type {
  SignedTransaction,
  Transaction,
} from '../../../enclave-sim/protocol/types/transaction.ts'
import { isDeposit } from '../../../enclave-sim/protocol/types/transaction.ts'
import type { ChainControl } from '../chain/chain-control.ts'
import type { PendingBlock } from '../chain-view.ts'
import { PoolRejected } from '../mempool/pool-rejected.ts'

type AcceptTransaction = Pick<ChainControl, 'accept'>

/** Takes users' transactions into the pool; those that it refuses are only logged. */
export async function pool(
  chain: AcceptTransaction,
  transactions: readonly SignedTransaction[],
  logger?: Logger | undefined,
): Promise<void> {
  for (const transaction of transactions) {
    await chain.accept(transaction).catch((error: unknown) => {
      if (!(error instanceof PoolRejected)) throw error
      logger?.warn(error, 'transaction not taken back')
    })
  }
}

/**
 * Puts what stood in blocks that are gone back into the pool, in its old order.
 * @param removed newest first
 */
export function repool(
  chain: AcceptTransaction,
  removed: readonly Block[],
  pending: PendingBlock | undefined,
  logger?: Logger | undefined,
): Promise<void> {
  const sealed = removed.toReversed().flatMap(({ transactions }) => transactions)
  const all: Transaction[] = [...sealed, ...(pending?.transactions ?? [])]
  return pool(
    chain,
    all.filter((each) => !isDeposit(each)),
    logger,
  )
}
