import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { JsonText } from '#devnet/base/json-rpc/json-text'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { isSealed } from '#devnet/l2/node/chain-view'
import { logJson, type PlacedLog, placedLogs } from '../../json/log-json.ts'
import { placeOf } from '../../json/place-of.ts'
import { blocksInRange } from '../../logs/blocks-in-range.ts'
import { bloomQuery } from '../../logs/bloom-query.ts'
import { type LogFilter, parseLogFilter } from '../../logs/log-filter.ts'
import { type LogMatcher, matchesLog } from '../../logs/log-matcher.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import { onOneChain, type Pause } from '../../selector/on-one-chain.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'

/** As reth; a single block is never cut. */
const MAX_LOGS = 20_000

/**
 * `eth_getLogs [filter]`: the logs that match, by block, transaction and log index. Rules
 * RPC-FLT-*, RPC-GETLOGS-*; never a removed one (OPEN-21).
 *
 * @throws JsonRpcError -32602, -32001 for an unknown blockHash, -32614 for a range over 2,000
 */
export const ethGetLogs: NodeMethod = async (rpc, params, { signal }) => {
  const [filter] = positional(params)
  const parsed = parseLogFilter(filter, rpc.profile)
  return onOneChain(rpc, signal, (pause) => collectLogs(rpc, parsed, pause))
}

async function collectLogs(
  rpc: NodeRpc,
  { matcher, where }: LogFilter,
  pause: Pause,
): Promise<JsonText> {
  const isOneBlock = 'blockHash' in where
  const blocks = isOneBlock
    ? [requirePublishedBlock(rpc, { hash: where.blockHash })]
    : blocksInRange(rpc, where, bloomQuery(matcher), pause)
  // Joined only when it is sent: V8 asks the system for each long flat text anew, and there would be two.
  let found = ''
  let count = 0
  for await (const block of blocks) {
    const countBefore = count
    const place = placeOf(block)
    for (const placed of matchingLogs(rpc, block, matcher)) {
      const text = rpc.json.text(placed.log, place, () => logJson(block, placed))
      found += count++ > 0 ? `,${text}` : text
    }
    // One block alone may hold more.
    if (count > MAX_LOGS && countBefore > 0) {
      throw invalidParams(`query exceeds max results ${MAX_LOGS}, ask for fewer blocks`)
    }
  }
  return new JsonText(`[${found}]`)
}

function matchingLogs(
  { pendingLogs }: NodeRpc,
  block: ReadableBlock,
  matcher: LogMatcher,
): Iterable<PlacedLog> {
  if (!isSealed(block)) return pendingLogs.matching(block, matcher)
  return [...placedLogs(block)].filter(({ log }) => matchesLog(matcher, log))
}
