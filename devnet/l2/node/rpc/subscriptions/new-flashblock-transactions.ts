import type { PendingBlock } from '../../chain-view.ts'
import { receiptJson } from '../json/receipt-json.ts'
import { transactionJson } from '../json/transaction-json.ts'
import { matchesLog } from '../logs/log-matcher.ts'
import type { ProfileValues } from '../profile-differences.ts'
import { parseLogOptions } from './parse-log-options.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/**
 * `newFlashblockTransactions options?`: what each flashblock adds. Hashes; with `true` transactions
 * and their outcome; with `{address?, topics?}` only those that emitted a matching log.
 */
export const newFlashblockTransactions: SubscriptionKind = ({ profile }, options, emit, on) => {
  const matcher = typeof options === 'object' && options ? parseLogOptions(options) : undefined
  const full = matcher !== undefined || options === true
  return on('flashblock', (block) => {
    for (let index = block.firstNewTransaction; index < block.transactions.length; index++) {
      const { logs } = block.receipts[index]!
      if (matcher && !logs.some((log) => matchesLog(matcher, log))) continue
      emit(full ? outcomeJson(block, index, profile) : block.transactions[index]!.hash)
    }
  })
}

function outcomeJson(block: PendingBlock, index: number, profile: ProfileValues) {
  const receipt = receiptJson(block, index)
  const { logs, status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom } = receipt
  return {
    ...transactionJson(block, index, profile),
    ...{ logs, status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom },
  }
}
