import type { PendingBlock } from '../../chain-view.ts'
import { logJson, placedLogs } from '../json/log-json.ts'
import { matchesLog } from '../logs/log-matcher.ts'
import { parseLogOptions } from './parse-log-options.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/**
 * `pendingLogs {address?, topics?}`: logs of pre-confirmed transactions, one per message, each once
 * (RPC-WS-01…03, OPEN-38). Those of a dropped pre-confirmation come again as removed
 * (OPEN-21).
 */
export const pendingLogs: SubscriptionKind = ({ profile }, options, emit, on) => {
  const matcher = parseLogOptions(options)
  const send = (block: PendingBlock, fromTransaction: number, removed: boolean) => {
    for (const placed of placedLogs(block, fromTransaction)) {
      if (matchesLog(matcher, placed.log)) emit(logJson(block, placed, removed))
    }
  }
  const stopAdded = on('flashblock', (block) => send(block, block.firstNewTransaction, false))
  const stopDropped = on('dropped', (block) => {
    if (profile.droppedPendingLogs !== 'nothing sent') send(block, 0, true)
  })
  return () => {
    stopAdded()
    stopDropped()
  }
}
