import { decode, encode } from '@ethereumjs/rlp'
import { bytesToBigInt, bytesToHex, concatBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { accessList } from '#protocol/transaction/rlp-fields'
import { recoverSender } from '#protocol/transaction/signature'
import type { Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'

export interface L1Transaction {
  /** As its receipt has it. */
  type: number
  /** A blob transaction stands here in the form of type 2, all that L2 can run of it. */
  transaction: SignedTransaction
  blobHashes: Hash[]
}

const BLOB_TYPE = 3

/** Decodes an L1 transaction: with our own codec, but for the blob transactions that it refuses. */
export function decodeL1Transaction(raw: Uint8Array): L1Transaction {
  if (raw[0] === BLOB_TYPE) return decodeBlobTransaction(raw)
  const transaction = decodeTransaction(raw)
  if (transaction.type === 0x7e) throw new Error('L1 has no deposits.')
  return { type: transaction.type, transaction, blobHashes: [] }
}

/** EIP-4844, "Blob transaction". */
function decodeBlobTransaction(raw: Uint8Array): L1Transaction {
  const fields = decode(raw.subarray(1)) as Uint8Array[]
  const number = (index: number) =>
    fields[index]!.length === 0 ? 0n : bytesToBigInt(fields[index]!)
  const message = concatBytes(Uint8Array.of(BLOB_TYPE), encode(fields.slice(0, 11)))
  const [v, r, s] = [number(11), number(12), number(13)]
  const yParity = v === 1n ? 1 : 0
  return {
    type: BLOB_TYPE,
    blobHashes: (fields[10] as unknown as Uint8Array[]).map((hash) => bytesToHex(hash)),
    transaction: {
      type: 2,
      raw,
      hash: keccak256(raw),
      from: recoverSender(message, r, s, yParity),
      chainId: number(0),
      nonce: number(1),
      maxPriorityFeePerGas: number(2),
      maxFeePerGas: number(3),
      gas: number(4),
      to: bytesToHex(fields[5]!),
      value: number(6),
      data: fields[7]!,
      accessList: accessList(fields[8]),
      authorizationList: [],
      v,
      yParity,
      r,
      s,
    },
  }
}
