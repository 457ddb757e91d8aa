import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { NodeRpc } from '../../node-rpc.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * The first sealed block after which something holds that never ends once it has begun; undefined
 * where it does not hold now. Found by halves, so a long chain costs a few look-ups.
 * @throws JsonRpcError 4444 when a state on the way is no longer kept
 */
export function firstBlockWhere(
  rpc: NodeRpc,
  holds: (stateRoot: Hash) => boolean,
): Block | undefined {
  let last = rpc.chain.latest().header.number
  if (!holds(requireBlock(rpc, last).header.stateRoot)) return undefined
  let first = 0n
  while (first < last) {
    const middle = (first + last) / 2n
    // A chain may begin later than at 0.
    const isThere = rpc.chain.blockByNumber(middle) !== undefined
    if (isThere && holds(requireBlock(rpc, middle).header.stateRoot)) last = middle
    else first = middle + 1n
  }
  return rpc.chain.blockByNumber(first)
}
