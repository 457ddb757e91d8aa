import type { Block } from '#protocol/types/block'

/** Bytes of a header with its hashes and its bloom, and of what holds a block together. */
const BLOCK = 4_000
/** Of a transaction and its receipt, beside the bytes below: some forty values, most of them boxed. */
const TRANSACTION = 1_800
/** Of a log and its topics, beside its data. */
const LOG = 800

/**
 * What a block with its receipts takes in memory, in bytes: an estimate, and fast, for V8 tells of no
 * object how large it is. Its encoded size is no measure: a transfer is 120 bytes there and 2,000 here.
 */
export function blockMemory({ transactions, receipts }: Block): number {
  let bytes = BLOCK
  // Call data stands in `raw`, too.
  for (const { raw, data } of transactions) bytes += TRANSACTION + raw.length + data.length
  for (const { logs, output } of receipts) {
    bytes += output.length
    for (const { data } of logs) bytes += LOG + data.length
  }
  return bytes
}
