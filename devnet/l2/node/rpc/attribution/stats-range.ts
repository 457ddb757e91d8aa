import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import type { BlockTag, PendingBlock } from '../../chain-view.ts'
import { parseBlockSelector } from '../selector/block-selector.ts'
import { findBlock, pendingBlock } from '../selector/find-block.ts'
import type { ShownChain } from '../shown-chain.ts'

/** As wide as a range of logs may be (OPEN-22). */
const MAX_RANGE = 2_000n

export interface StatsRange {
  from: bigint
  to: bigint
  /** The last block, where it is the one under construction. */
  building: PendingBlock | undefined
}

/**
 * The range that `{fromBlock?, toBlock?}` spans: up to `pending` and from 2,000 blocks before that
 * unless told.
 *
 * @throws JsonRpcError -32602 for an inverted range, -32614 for one wider than 2,000
 */
export function parseStatsRange(rpc: ShownChain, value: unknown): StatsRange {
  const { fromBlock, toBlock } = parseRecord(value ?? {}, 'range')
  const building = pendingBlock(rpc)
  const head = rpc.chain.latest().header.number
  const tip = building && building.header.number > head ? building.header.number : head
  const number = (bound: BlockTag | bigint): bigint => {
    if (typeof bound === 'bigint') return bound
    return bound === 'pending' ? tip : findBlock(rpc, bound)!.header.number
  }
  const upper = parseBlockSelector(toBlock ?? 'pending', 'toBlock')
  const to = clipped(number(upper), upper === 'pending' ? tip : head)
  const earliest = to > MAX_RANGE ? to - MAX_RANGE : 0n
  const from = number(parseBlockSelector(fromBlock ?? `0x${earliest.toString(16)}`, 'fromBlock'))
  if (from > to) throw invalidParams('fromBlock: is after toBlock, or above the head')
  if (to - from > MAX_RANGE) {
    throw new JsonRpcError(-32614, 'rollbed_attributionStats is limited to a 2,000 range')
  }
  return { from, to, building: to > head ? building : undefined }
}

function clipped(number: bigint, highest: bigint): bigint {
  return number < highest ? number : highest
}
