import { decode } from '@ethereumjs/rlp'
import { encodeRlp, rlpLength, rlpListLength } from '../bytes/encode-rlp.ts'
import type { Block } from '../types/block.ts'
import type { Transaction } from '../types/transaction.ts'
import { headerFields } from './header.ts'

/**
 * The RLP of a block: header, transactions (typed ones as byte strings), no uncles, no withdrawals.
 * OP spec, Isthmus: the withdrawals list stays empty although withdrawalsRoot is not its root.
 */
export function encodeBlock(block: Pick<Block, 'header' | 'transactions'>): Uint8Array {
  return encodeRlp([headerFields(block.header), block.transactions.map(item), [], []])
}

/** Length of `encodeBlock(block)`, what RPC calls the block's size. */
export function blockSize({
  header,
  transactions,
}: Pick<Block, 'header' | 'transactions'>): number {
  let all = 0
  // A legacy transaction is a list already.
  for (const { type, raw } of transactions) all += type === 0 ? raw.length : rlpLength(raw)
  return rlpListLength(rlpLength(headerFields(header)) + rlpListLength(all) + 2 * rlpLength([]))
}

function item(transaction: Transaction) {
  return transaction.type === 0 ? decode(transaction.raw) : transaction.raw
}
