import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { quote } from '#devnet/base/json-rpc/params/hex-digits'
import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import type { Hash } from '#protocol/types/bytes'
import type { BlockTag } from '../../chain-view.ts'
import type { ProfileValues } from '../profile-differences.ts'
import { parseBlockSelector } from '../selector/block-selector.ts'
import { type LogMatcher, parseLogMatcher } from './log-matcher.ts'

/** Bounds as they were given; undefined where they were left out. */
export interface LogBounds {
  from: BlockTag | bigint | undefined
  to: BlockTag | bigint | undefined
}

export interface LogFilter {
  matcher: LogMatcher
  where: { blockHash: Hash } | LogBounds
}

const KEYS = new Set(['fromBlock', 'toBlock', 'address', 'topics', 'blockHash'])

/**
 * The filter object of `eth_getLogs`. A key it does not have is refused, as real nodes do: a
 * misspelt criterion would silently match everything.
 * @throws JsonRpcError -32602
 */
export function parseLogFilter(value: unknown, profile: ProfileValues): LogFilter {
  const filter = parseRecord(value, 'filter')
  const unknown = Object.keys(filter).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw invalidParams(`filter: has an unknown key ${quote(unknown)}`)
  const matcher = parseLogMatcher(filter)
  const { blockHash, fromBlock, toBlock } = filter
  if (blockHash !== undefined && blockHash !== null) {
    const hasRange = (fromBlock ?? toBlock ?? null) !== null
    if (hasRange && profile.logsBlockHashWithRange === 'refused') {
      throw invalidParams('blockHash: cannot stand beside fromBlock or toBlock')
    }
    return { matcher, where: { blockHash: parseHash(blockHash, 'blockHash') } }
  }
  return { matcher, where: { from: bound(fromBlock, 'fromBlock'), to: bound(toBlock, 'toBlock') } }
}

function bound(value: unknown, name: string): BlockTag | bigint | undefined {
  return value === undefined || value === null ? undefined : parseBlockSelector(value, name)
}
