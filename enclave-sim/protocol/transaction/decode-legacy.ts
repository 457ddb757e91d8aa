import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { encodeRlpForNow } from '../bytes/encode-rlp.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { SignedTransaction } from '../types/transaction.ts'
import { bytes, decodeList, quantity, recipient } from './rlp-fields.ts'
import { recoverSender } from './signature.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

const EMPTY = new Uint8Array(0)

/** Decodes a type 0 transaction, with or without the replay protection of EIP-155. */
export function decodeLegacy(raw: Uint8Array, hash: Hash, sender?: Address): SignedTransaction {
  const fields = decodeList(raw, 9)
  const [nonce, gasPrice, gas, to, value, data] = fields
  const v = quantity(fields[6], 'v', 32)
  const r = quantity(fields[7], 'r', 32)
  const s = quantity(fields[8], 's', 32)
  const { chainId, yParity } = splitV(v)
  const unsigned = fields.slice(0, 6).map((field) => bytes(field, 'field'))
  if (chainId !== undefined) unsigned.push(bigIntToBytes(chainId), EMPTY, EMPTY)
  const price = quantity(gasPrice, 'gas price', 32)
  return {
    type: 0,
    raw,
    hash,
    chainId,
    nonce: quantity(nonce, 'nonce', 8),
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    gas: quantity(gas, 'gas', 8),
    to: recipient(to),
    value: quantity(value, 'value', 32),
    data: bytes(data, 'data').slice(),
    accessList: [],
    authorizationList: [],
    v,
    yParity,
    r,
    s,
    from: sender ?? recoverSender(encodeRlpForNow(unsigned), r, s, yParity),
  }
}

function splitV(v: bigint): { chainId: bigint | undefined; yParity: 0 | 1 } {
  if (v === 27n || v === 28n) return { chainId: undefined, yParity: v === 28n ? 1 : 0 }
  if (v < 37n) throw new TransactionMalformed('SIGNATURE_INVALID', `There is no v of ${v}.`)
  return { chainId: (v - 35n) / 2n, yParity: v % 2n === 0n ? 1 : 0 }
}
