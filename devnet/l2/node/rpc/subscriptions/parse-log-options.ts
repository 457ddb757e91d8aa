import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { type LogMatcher, parseLogMatcher } from '../logs/log-matcher.ts'

/** The `{address?, topics?}` of a subscription to logs. @throws JsonRpcError -32602 */
export function parseLogOptions(options: unknown): LogMatcher {
  return parseLogMatcher(parseRecord(options ?? {}, 'options'))
}
