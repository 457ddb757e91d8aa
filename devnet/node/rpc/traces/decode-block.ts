import { decode } from '@ethereumjs/rlp'
import { encodeRlp } from '../../../../enclave-sim/protocol/bytes/encode-rlp.ts'
import { RollbedError } from '../../../../enclave-sim/protocol/errors/rollbed-error.ts'
import { decodeHeader } from '../../../../enclave-sim/protocol/execution/header.ts'
import { decodeTransaction } from '../../../../enclave-sim/protocol/transaction/decode-transaction.ts'
import type { Header } from '../../../../enclave-sim/protocol/types/block.ts'
import type { Transaction } from '../../../../enclave-sim/protocol/types/transaction.ts'
import { invalidParams } from '../../../json-rpc/json-rpc-error.ts'

/** A block from its RLP, as `debug_getRawBlock` gives it. @throws JsonRpcError -32602 */
export function decodeBlock(rlp: Uint8Array): { header: Header; transactions: Transaction[] } {
  try {
    const [header, transactions] = decode(rlp) as unknown[]
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
