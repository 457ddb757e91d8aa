import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { poolContent } from './pool-content.ts'

/** `txpool_status []` → how many transactions wait for a block, and for a nonce before theirs. */
export const txpoolStatus: NodeMethod = (rpc) => {
  const { pending, queued } = poolContent(rpc)
  return { pending: toQuantity(pending.length), queued: toQuantity(queued.length) }
}
