import { type Input, RLP } from '@ethereumjs/rlp'
import { concatBytes } from '@ethereumjs/util'
import secp256k1 from 'secp256k1'
import { bigIntToBytes } from '#protocol/bytes/big-int-to-bytes'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

const TYPE = 0x02

type RlpFields = Input[]

/** An EIP-1559 transaction without an access list; wei and gas units. */
export interface L1Transaction {
  chainId: number
  nonce: number
  /** null creates a contract. */
  to: Address | null
  data: Hex
  value: bigint
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Signs deterministically (RFC 6979) and encodes (EIP-2718). */
export function signL1Transaction(
  transaction: L1Transaction,
  privateKey: Hex,
): { raw: Hex; hash: Hash } {
  const fields = [
    ...firstFields(transaction),
    transaction.to ? hexToBytes(transaction.to) : new Uint8Array(),
    bigIntToBytes(transaction.value),
    hexToBytes(transaction.data),
    [],
  ]
  const raw = typed(TYPE, signedFields(TYPE, fields, privateKey))
  return { raw: bytesToHex(raw), hash: bytesToHex(keccak256(raw)) }
}

/** What all types since EIP-1559 begin with: chain, nonce, fees and gas. */
export function firstFields(
  transaction: Pick<
    L1Transaction,
    'chainId' | 'nonce' | 'maxPriorityFeePerGas' | 'maxFeePerGas' | 'gas'
  >,
): RlpFields {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas } = transaction
  return [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map((value) =>
    bigIntToBytes(BigInt(value)),
  )
}

/** EIP-2718: the type, then the fields as RLP. */
export function typed(type: number, fields: RlpFields): Uint8Array {
  return concatBytes(Uint8Array.of(type), RLP.encode(fields))
}

/** The fields with the signature over them behind: parity, r, s. Deterministic (RFC 6979). */
export function signedFields(type: number, fields: RlpFields, privateKey: Hex): RlpFields {
  const digest = keccak256(typed(type, fields))
  const { signature, recid } = secp256k1.ecdsaSign(digest, hexToBytes(privateKey))
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map(unpadded)
  return [...fields, bigIntToBytes(BigInt(recid)), r!, s!]
}

/** Without leading zeros, as RLP has numbers. */
function unpadded(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? new Uint8Array() : bytes.subarray(first)
}
