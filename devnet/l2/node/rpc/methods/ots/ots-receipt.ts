import { toQuantity } from '../../json/hex.ts'
import { receiptJson } from '../../json/receipt-json.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'

/** A receipt as Otterscan lists it: with the time of its block, without logs and bloom. */
export function otsReceipt(block: ReadableBlock, index: number) {
  const timestamp = toQuantity(block.header.timestamp)
  return { ...receiptJson(block, index), logs: null, logsBloom: null, timestamp }
}
