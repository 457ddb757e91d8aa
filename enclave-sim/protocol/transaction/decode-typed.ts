import type { DecodedRlp } from '../bytes/decode-rlp.ts'
import { encodeRlpForNow } from '../bytes/encode-rlp.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { SignedTransaction } from '../types/transaction.ts'
import { authorizationList } from './authorization.ts'
import { accessList, address, bytes, decodeList, quantity, recipient } from './rlp-fields.ts'
import { recoverSender } from './signature.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

const FIELD_COUNT = { 1: 11, 2: 12, 4: 13 } as const

/**
 * Decodes EIP-2930 (1), EIP-1559 (2) and EIP-7702 (4) transactions.
 * @throws TransactionMalformed
 */
export function decodeTyped(
  type: 1 | 2 | 4,
  raw: Uint8Array,
  hash: Hash,
  sender?: Address,
): SignedTransaction {
  const fields = decodeList(raw.subarray(1), FIELD_COUNT[type])
  const signed = fields.length - 3
  const v = quantity(fields[signed], 'signature parity', 8)
  if (v > 1n) {
    throw new TransactionMalformed('SIGNATURE_INVALID', `The signature parity is ${v}, not 0 or 1.`)
  }
  const r = quantity(fields[signed + 1], 'r', 32)
  const s = quantity(fields[signed + 2], 's', 32)
  const yParity = v === 1n ? 1 : 0
  // Type 1 has one fee field where types 2 and 4 have two.
  const [tip, cap] = type === 1 ? [2, 2] : [2, 3]
  const [gas, to, value, data, access] = fields.slice(cap + 1)
  const message = () => encodeRlpForNow(fields.slice(0, signed) as DecodedRlp[], type)
  return {
    type,
    raw,
    hash,
    chainId: quantity(fields[0], 'chain id', 32),
    nonce: quantity(fields[1], 'nonce', 8),
    maxPriorityFeePerGas: quantity(fields[tip], 'priority fee', 32),
    maxFeePerGas: quantity(fields[cap], 'fee cap', 32),
    gas: quantity(gas, 'gas', 8),
    // EIP-7702: a set-code transaction cannot create a contract.
    to: type === 4 ? address(to, 'to') : recipient(to),
    value: quantity(value, 'value', 32),
    data: bytes(data, 'data').slice(),
    accessList: accessList(access),
    authorizationList: type === 4 ? authorizationList(fields[9]) : [],
    v,
    yParity,
    r,
    s,
    from: sender ?? recoverSender(message(), r, s, yParity),
  }
}
