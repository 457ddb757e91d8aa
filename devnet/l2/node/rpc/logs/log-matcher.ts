import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseAddress, parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseList } from '#devnet/base/json-rpc/params/parse-record'
import type { Log } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'

/** Which logs are wanted, wherever they stand. undefined matches anything. */
export interface LogMatcher {
  addresses: ReadonlySet<Address> | undefined
  /** By position; at most four. */
  topics: readonly (ReadonlySet<Hash> | undefined)[]
}

/** Values in one list of a filter; as later Base nodes. */
const MAX_VALUES = 1000

/**
 * `address` and `topics` of a filter (RPC-FLT-07…15, OPEN-20).
 * @throws JsonRpcError -32602
 */
export function parseLogMatcher(filter: Readonly<Record<string, unknown>>): LogMatcher {
  const { address, topics } = filter
  const list = topics === undefined || topics === null ? [] : parseList(topics, 'topics', 1000)
  if (list.length > 4) throw invalidParams(`topics: has ${list.length} positions, the limit is 4`)
  return {
    addresses: parseChoice(address, 'address', parseAddress),
    topics: list.map((topic, position) => parseChoice(topic, `topics[${position}]`, parseHash)),
  }
}

/** RPC-FLT-19: topics beyond the filter's last position are free. */
export function matchesLog({ addresses, topics }: LogMatcher, log: Log): boolean {
  if (addresses && !addresses.has(log.address)) return false
  return topics.every((wanted, position) => {
    const topic = log.topics[position]
    return !wanted || (topic !== undefined && wanted.has(topic))
  })
}

/** One value, a list of which any will do, or anything: null, absent, an empty list. */
function parseChoice<T>(
  value: unknown,
  name: string,
  parse: (value: unknown, name: string) => T,
): ReadonlySet<T> | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) return new Set([parse(value, name)])
  const values = parseList(value, name, MAX_VALUES)
  if (values.length === 0 || values.includes(null)) return undefined
  return new Set(values.map((item, index) => parse(item, `${name}[${index}]`)))
}
