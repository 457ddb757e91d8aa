import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { decodeRlp } from '#protocol/bytes/decode-rlp'
import { encodeRlp } from '#protocol/bytes/encode-rlp'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { decodeHeader } from '#protocol/execution/header'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Header } from '#protocol/types/block'
import type { Transaction } from '#protocol/types/transaction'

/** Of lists: block, transactions, a legacy transaction. */
const MAX_DEPTH = 3

/** A block from its RLP, as `debug_getRawBlock` gives it. @throws JsonRpcError -32602 */
export function decodeBlock(rlp: Uint8Array): { header: Header; transactions: Transaction[] } {
  try {
    const [header, transactions] = decodeRlp(rlp, MAX_DEPTH)
    if (!Array.isArray(header) || !Array.isArray(transactions)) throw invalidParams('not a block')
    return {
      header: decodeHeader(encodeRlp(header)),
      // A legacy transaction is a list of its own, a typed one a string.
      transactions: transactions.map((item) =>
        decodeTransaction(item instanceof Uint8Array ? item : encodeRlp(item)),
      ),
    }
  } catch (cause) {
    const why = cause instanceof RollbedError ? cause.message : 'it is not RLP of a block'
    throw invalidParams(`rlp: cannot be decoded: ${why}`)
  }
}
