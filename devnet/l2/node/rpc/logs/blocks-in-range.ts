import { bigIntMin } from '@ethereumjs/util'
import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Hex } from '#protocol/types/bytes'
import type { BlockTag } from '../../chain-view.ts'
import { findBlock, pendingBlock } from '../selector/find-block.ts'
import type { Pause } from '../selector/on-one-chain.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import type { ShownChain } from '../shown-chain.ts'
import type { LogBounds } from './log-filter.ts'

/** Blooms that are looked at in one go: a few milliseconds. */
const BLOOMS = 1_000n

/**
 * The blocks within a filter's bounds whose bloom may hold what is looked for, in order: sealed ones,
 * then the one being built (RPC-FLT-01…06, RPC-GETLOGS-*). Missing bounds mean `latest`;
 * `fromBlock: pending` to `latest` means pre-confirmed only.
 *
 * @param pause of who reads them, on one chain
 * @throws JsonRpcError -32602 for an inverted range, -32614 (profile base: -32602) for a wide one
 */
export async function* blocksInRange(
  rpc: ShownChain,
  bounds: LogBounds,
  mayHold: (bloom: Hex) => boolean,
  pause: Pause,
): AsyncIterable<ReadableBlock> {
  const { chain, profile } = rpc
  const pending = pendingBlock(rpc)
  const head = chain.latest().header.number
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
  if (isAheadOfTip && first > last) return
  if (first > last) throw invalidParams('fromBlock: is after toBlock')
  refuseWideRange(rpc, last - first)
  if (last > head && typeof to === 'bigint' && profile.logsToAboveHead === 'refused') {
    throw invalidParams('block range extends beyond current head block')
  }
  const lastSealed = bigIntMin(last, head)
  for (let at = first; at <= lastSealed; at += BLOOMS) {
    const end = bigIntMin(at + BLOOMS - 1n, lastSealed)
    for (const number of chain.numbersWithLogs(at, end, mayHold)) {
      yield chain.blockByNumber(number)!
      await pause()
    }
    await pause()
  }
  if (to === 'pending' && building && mayHold(building.header.logsBloom)) yield building
}

/** `latest` says as a `toBlock` what leaving it out says. */
function regularBounds(
  rpc: ShownChain,
  { from = 'latest', to = 'latest' }: LogBounds,
): { from: BlockTag | bigint; to: BlockTag | bigint } {
  if (from !== 'pending' || to === 'pending') return { from, to }
  if (rpc.profile.logsFromPending === 'logs of latest') return { from: 'latest', to }
  return { from, to: to === 'latest' ? 'pending' : to }
}

function refuseWideRange({ profile }: ShownChain, width: bigint): void {
  const limit = profile.logsMaxRange
  if (width <= BigInt(limit)) return
  const shown = limit.toLocaleString('en-US')
  throw new JsonRpcError(
    profile.logsRangeErrorCode,
    `eth_getLogs is limited to a ${shown} range`,
    `The range is ${width} blocks wide.`,
  )
}
