import type { Block } from '#protocol/types/block'
import { blockText } from '../json/block-text.ts'
import { toQuantity } from '../json/hex.ts'
import { transactionJson } from '../json/transaction-json.ts'
import type { ProfileValues } from '../profile-differences.ts'
import type { SimulatedBlockWriter } from './simulated-block-writer.ts'

/**
 * An element of the result of eth_simulateV1 (RPC-SIM-22…38), as JSON. Calls and logs are many and short,
 * and are written where their bytes lie.
 *
 * @param block with transactions only where they are shown in full
 * @param writer that has its calls
 */
export function simulatedBlockText(
  block: Block,
  writer: SimulatedBlockWriter,
  { fullTransactions, profile }: { fullTransactions: boolean; profile: ProfileValues },
): string {
  const { header, hash, transactions } = block
  const transactionsText = fullTransactions
    ? transactions.map((_, at) => JSON.stringify(transactionJson(block, at, profile))).join()
    : writer.hashesText()
  const place = `"blockNumber":"${toQuantity(header.number)}","blockTimestamp":"${toQuantity(header.timestamp)}"`
  const callsText = writer.callsText({ hash, place }, profile.simulateMaxUsedGas === 'present')
  return blockText(block, transactionsText, `,"calls":[${callsText}]`)
}
