import { blockSeconds } from '../upgrades/block-times.ts'
import { type BatchContext, nextTimestamp } from './batch-validity.ts'
import type { L2Ancestor } from './check-span-batch.ts'
import type { SingularBatch } from './singular-batch.ts'

/** How many blocks can bear one second. */
const MAX_SAME_SECOND = 5

/**
 * Whether a batch is a copy of one that the chain has: several blocks bear its second, and only the parent
 * tells them apart. It stands then on a block before the safe head, whose successor bears that second, too.
 * Source: base/base #4783.
 */
export async function isStale(
  batch: Pick<SingularBatch, 'parentHash' | 'timestamp'>,
  context: Pick<BatchContext, 'config' | 'parent'> & {
    ancestor(number: bigint): Promise<L2Ancestor | undefined>
  },
): Promise<boolean> {
  const { config, parent, ancestor } = context
  if (batch.timestamp !== nextTimestamp(context)) return false
  if (batch.parentHash === parent.hash) return false
  let child = parent.number
  for (let looked = 0; looked < MAX_SAME_SECOND; looked++, child--) {
    if (blockSeconds(config, child) !== batch.timestamp) return false
    const before = await ancestor(child - 1n)
    if (before === undefined) return false
    if (before.hash === batch.parentHash) return true
  }
  return false
}
