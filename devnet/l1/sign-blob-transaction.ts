import { bigIntToBytes } from '#protocol/bytes/big-int-to-bytes'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import type { BlobSidecar } from '#protocol/oracle/preimage-oracle'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { firstFields, signedFields, typed } from './sign-l1-transaction.ts'

const TYPE = 0x03

/** An EIP-4844 transaction without call data, value and access list; wei and gas units. */
export interface BlobL1Transaction {
  chainId: number
  nonce: number
  to: Address
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerBlobGas: bigint
  sidecars: readonly BlobSidecar[]
}

/**
 * Signs deterministically (RFC 6979) and encodes for the network: with the blobs, commitments and
 * proofs around it that blocks leave out, and the hash does too. Source: EIP-4844, "Networking".
 */
export function signBlobTransaction(
  transaction: BlobL1Transaction,
  privateKey: Hex,
): { raw: Hex; hash: Hash } {
  const { sidecars } = transaction
  const fields = [
    ...firstFields(transaction),
    hexToBytes(transaction.to),
    new Uint8Array(),
    new Uint8Array(),
    [],
    bigIntToBytes(transaction.maxFeePerBlobGas),
    sidecars.map(({ commitment }) => hexToBytes(toVersionedHash(commitment))),
  ]
  const signed = signedFields(TYPE, fields, privateKey)
  const wrapped = [
    signed,
    sidecars.map(({ blob }) => blob),
    sidecars.map(({ commitment }) => commitment),
    sidecars.map(({ proof }) => proof),
  ]
  return { raw: bytesToHex(typed(TYPE, wrapped)), hash: bytesToHex(keccak256(typed(TYPE, signed))) }
}
