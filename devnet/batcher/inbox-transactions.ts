import { bytesToHex } from '@ethereumjs/util'
import { encodeBlob } from '../../enclave-sim/derivation/blob-encoding.ts'
import type { Address, Hash, Hex } from '../../enclave-sim/execution/types.ts'
import type { Kzg } from '../l1/blobs/kzg.ts'
import { signBlobTransaction } from '../l1/sign-blob-transaction.ts'
import { signL1Transaction } from '../l1/sign-l1-transaction.ts'

/** EIP-7623: what a transaction costs at least, and each of its data bytes at most. */
const BASE_GAS = 21_000n
const GAS_PER_BYTE = 40n
/** A block holds 9 (EIP-7691); other users' want in, too. */
const MAX_BLOBS_PER_TRANSACTION = 6

/** Wei per unit of gas. */
export interface L1Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerBlobGas: bigint
}

export interface SentTransaction {
  hash: Hash
  raw: Hex
  nonce: number
}

/** Signs prepared transactions, with consecutive nonces. */
export type SignTransactions = (firstNonce: number, fees: L1Fees) => SentTransaction[]

/** Puts pieces of data into transactions to the inbox, in order. What takes long is done here. */
export type PrepareTransactions = (data: readonly Uint8Array[]) => Promise<SignTransactions>

export interface InboxAccount {
  chainId: number
  to: Address
  privateKey: Hex
}

/** One transaction for each piece of data, which is its call data. */
export function calldataTransactions({
  privateKey,
  ...account
}: InboxAccount): PrepareTransactions {
  return async (data) => (first, fees) =>
    data.map((bytes, i) => ({
      nonce: first + i,
      ...signL1Transaction(
        {
          ...account,
          ...fees,
          nonce: first + i,
          data: bytesToHex(bytes),
          value: 0n,
          gas: BASE_GAS + GAS_PER_BYTE * BigInt(bytes.length),
        },
        privateKey,
      ),
    }))
}

/** One blob for each piece of data, several blobs in a transaction. */
export function blobTransactions(
  { privateKey, ...account }: InboxAccount,
  kzg: Kzg,
): PrepareTransactions {
  return async (data) => {
    const sidecars = await Promise.all(
      data.map(async (bytes) => {
        const blob = encodeBlob(bytes)
        const commitment = await kzg.commit(blob)
        return { blob, commitment, proof: await kzg.prove(blob, commitment) }
      }),
    )
    const count = Math.ceil(sidecars.length / MAX_BLOBS_PER_TRANSACTION)
    const groups = Array.from({ length: count }, (_, i) =>
      sidecars.slice(i * MAX_BLOBS_PER_TRANSACTION, (i + 1) * MAX_BLOBS_PER_TRANSACTION),
    )
    return (first, fees) =>
      groups.map((group, i) => {
        const transaction = {
          ...account,
          ...fees,
          nonce: first + i,
          gas: BASE_GAS,
          sidecars: group,
        }
        return { nonce: first + i, ...signBlobTransaction(transaction, privateKey) }
      })
  }
}
