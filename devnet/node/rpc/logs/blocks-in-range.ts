import { invalidParams, JsonRpcError } from '../../../json-rpc/json-rpc-error.ts'
import type { BlockTag } from '../../chain-view.ts'
import type { NodeRpc } from '../node-rpc.ts'
import { findBlock, keptBlock, pendingBlock, type ReadableBlock } from '../selector/find-block.ts'
import type { LogBounds } from './log-filter.ts'

/**
 * The blocks a filter's bounds cover, in order: sealed ones, then the one being built (decisions
 * 14-16, 23). Missing bounds mean `latest`; `fromBlock: pending` alone means pre-confirmed only.
 *
 * @throws JsonRpcError -32602 for an inverted range, -32614 (profile base: -32602) for a wide one;
 * 4444 for blocks that are no longer kept.
 */
export function blocksInRange(rpc: NodeRpc, bounds: LogBounds): ReadableBlock[] {
  const pending = pendingBlock(rpc)
  const head = rpc.chain.latest().header.number
  // One snapshot for the whole answer: a flashblock of a block sealed meanwhile is not shown twice.
  const building = pending && pending.header.number > head ? pending : undefined
  const { from, to } = regularBounds(rpc, bounds)
  const number = (bound: BlockTag | bigint): bigint => {
    if (typeof bound === 'bigint') return bound
    if (bound === 'pending') return pending ? head + 1n : head
    return findBlock(rpc, bound)!.header.number
  }
  const [first, last] = [number(from), number(to)]

  // A caller that follows the tip asks from a height that is not there yet.
  const isAheadOfTip = typeof from === 'bigint' && first > head && typeof to === 'string'
  if (isAheadOfTip && first > last) return []
  if (first > last) throw invalidParams('fromBlock: is after toBlock')
  refuseWideRange(rpc, last - first)
  if (last > head && typeof to === 'bigint' && rpc.profile.logsToAboveHead === 'refused') {
    throw invalidParams('block range extends beyond current head block')
  }
  const blocks: ReadableBlock[] = []
  for (let at = first; at <= last && at <= head; at++) {
    const block = keptBlock(rpc, at)
    if (block) blocks.push(block)
  }
  if (to === 'pending' && building) blocks.push(building)
  return blocks
}

function regularBounds(
  rpc: NodeRpc,
  { from, to }: LogBounds,
): { from: BlockTag | bigint; to: BlockTag | bigint } {
  if (from === 'pending' && to !== 'pending') {
    return rpc.profile.logsFromPending === 'logs of latest'
      ? { from: 'latest', to: to ?? 'latest' }
      : { from: 'pending', to: to ?? 'pending' }
  }
  return { from: from ?? 'latest', to: to ?? 'latest' }
}

function refuseWideRange({ profile }: NodeRpc, width: bigint): void {
  const limit = profile.logsMaxRange
  if (width <= BigInt(limit)) return
  const shown = limit.toLocaleString('en-US')
  throw new JsonRpcError(
    profile.logsRangeErrorCode,
    `eth_getLogs is limited to a ${shown} range`,
    `The range is ${width} blocks wide.`,
  )
}
