import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Block } from '#protocol/types/block'
import type { FilterSource } from '../../filters/filter-registry.ts'
import { filterRegistryOf } from '../../filters/filter-registry-of.ts'
import { logJson, placedLogs } from '../../json/log-json.ts'
import { type LogFilter, parseLogFilter } from '../../logs/log-filter.ts'
import { matchesLog } from '../../logs/log-matcher.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'

/**
 * `eth_newFilter [filter]`: an id. Its changes are logs of blocks sealed from now on, within the
 * filter's numbers, and once more with `removed: true` when a reorganization takes them out.
 *
 * @throws JsonRpcError -32602; -32005 when there are too many filters
 */
export const ethNewFilter: NodeMethod = (rpc, params) => {
  const [filter] = positional(params)
  return filterRegistryOf(rpc).install(logChanges(rpc, parseLogFilter(filter, rpc.profile)), filter)
}

function logChanges({ chain }: NodeRpc, { matcher, where }: LogFilter): FilterSource {
  return (push) => {
    const tell = (block: Block, isRemoved: boolean) => {
      if (!covers(where, block)) return
      for (const placed of placedLogs(block)) {
        if (matchesLog(matcher, placed.log)) push(logJson(block, placed, isRemoved))
      }
    }
    const stopSealed = chain.on('sealed', (block) => tell(block, false))
    const stopReorg = chain.on('reorg', ({ removed }) => {
      for (const block of removed) tell(block, true)
    })
    return () => {
      stopSealed()
      stopReorg()
    }
  }
}

/** Tags say nothing about blocks to come. */
function covers(where: LogFilter['where'], { hash, header }: Block): boolean {
  if ('blockHash' in where) return where.blockHash === hash
  const { from, to } = where
  if (typeof from === 'bigint' && header.number < from) return false
  return typeof to !== 'bigint' || header.number <= to
}
