import type { Hash } from '../types/bytes.ts'
import type { DepositTransaction } from '../types/transaction.ts'
import {
  address,
  bytes,
  decodeList,
  flag,
  hash as hashField,
  quantity,
  recipient,
} from './rlp-fields.ts'

/** Decodes a type 0x7e transaction. OP spec, Deposits: "The Deposited Transaction Type". */
export function decodeDeposit(raw: Uint8Array, hash: Hash): DepositTransaction {
  const fields = decodeList(raw.subarray(1), 8)
  const [sourceHash, from, to, mint, value, gas, isSystemTransaction, data] = fields
  return {
    type: 0x7e,
    raw,
    hash,
    sourceHash: hashField(sourceHash, 'source hash'),
    from: address(from, 'from'),
    to: recipient(to),
    mint: quantity(mint, 'mint', 32),
    value: quantity(value, 'value', 32),
    gas: quantity(gas, 'gas', 8),
    isSystemTransaction: flag(isSystemTransaction, 'system transaction flag'),
    data: bytes(data, 'data').slice(),
  }
}
