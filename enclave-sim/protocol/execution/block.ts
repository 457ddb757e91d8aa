import { decodeRlp } from '../bytes/decode-rlp.ts'
import { encodeRlp, encodeRlpForNow, rlpLength, rlpListLength } from '../bytes/encode-rlp.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Block, Header } from '../types/block.ts'
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
  return sizeWith(rlpLength(headerFields(header)), lengthOf(transactions))
}

/** The same, and the block's hash: both come of its encoded header. */
export function hashAndSize({
  header,
  transactions,
}: Pick<Block, 'header' | 'transactions'>): Pick<Block, 'hash' | 'size'> {
  return hashAndSizeOf(header, lengthOf(transactions))
}

/** The same of a block whose transactions are so long, as items of a list. */
export function hashAndSizeOf(header: Header, transactions: number): Pick<Block, 'hash' | 'size'> {
  const encoded = encodeRlpForNow(headerFields(header))
  return { hash: keccak256Hex(encoded), size: sizeWith(encoded.length, transactions) }
}

function lengthOf(transactions: readonly Transaction[]): number {
  let all = 0
  // A legacy transaction is a list already.
  for (const { type, raw } of transactions) all += type === 0 ? raw.length : rlpLength(raw)
  return all
}

function sizeWith(header: number, transactions: number): number {
  return rlpListLength(header + rlpListLength(transactions) + 2 * rlpLength([]))
}

function item(transaction: Transaction) {
  return transaction.type === 0 ? decodeRlp(transaction.raw, 1) : transaction.raw
}
