import type { Block } from '#protocol/types/block'
import { logJson, placedLogs } from '../json/log-json.ts'
import { matchesLog } from '../logs/log-matcher.ts'
import { parseLogOptions } from './parse-log-options.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/**
 * `logs {address?, topics?}`: logs of sealed blocks; again with `removed: true` when a reorganization
 * takes them out (RPC-LOG-13, OPEN-21).
 */
export const logs: SubscriptionKind = (_rpc, options, emit, on) => {
  const matcher = parseLogOptions(options)
  const send = (block: Block, removed: boolean) => {
    for (const placed of placedLogs(block)) {
      if (matchesLog(matcher, placed.log)) emit(logJson(block, placed, removed))
    }
  }
  const stopSealed = on('sealed', (block) => send(block, false))
  const stopReorg = on('reorg', ({ removed }) => {
    for (const block of removed) send(block, true)
  })
  return () => {
    stopSealed()
    stopReorg()
  }
}
