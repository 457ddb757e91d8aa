import type { Kzg } from '#devnet/l1/blobs/kzg'
import { signBlobTransaction } from '#devnet/l1/sign-blob-transaction'
import { signL1Transaction } from '#devnet/l1/sign-l1-transaction'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeBlob } from '#protocol/derivation/blob-encoding'
import type { BlobSidecar } from '#protocol/oracle/preimage-oracle'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { L1Fees } from './l1-fees.ts'

/** EIP-7623: what a transaction costs at least, and each of its data bytes at most. */
const BASE_GAS = 21_000n
const GAS_PER_BYTE = 40n
/** A block holds 9 (EIP-7691); other users' want in, too. */
const MAX_BLOBS_PER_TRANSACTION = 6

/** What one transaction carries: call data, or blobs. */
export type Cargo = { data: Uint8Array } | { sidecars: readonly BlobSidecar[] }

export interface InboxAccount {
  chainId: number
  to: Address
  privateKey: Hex
}

/** One blob for each piece of data, several blobs in a transaction. */
export async function blobCargo(
  data: readonly Uint8Array[],
  kzg: Kzg,
  signal: AbortSignal,
): Promise<Cargo[]> {
  const sidecars = await Promise.all(
    data.map(async (bytes) => {
      const blob = encodeBlob(bytes)
      const commitment = await kzg.commit(blob, signal)
      return { blob, commitment, proof: await kzg.prove(blob, commitment, signal) }
    }),
  )
  const count = Math.ceil(sidecars.length / MAX_BLOBS_PER_TRANSACTION)
  return Array.from({ length: count }, (_, i) => ({
    sidecars: sidecars.slice(i * MAX_BLOBS_PER_TRANSACTION, (i + 1) * MAX_BLOBS_PER_TRANSACTION),
  }))
}

/** The same bytes each time it is asked for. */
export function signCargo(
  cargo: Cargo,
  { privateKey, ...account }: InboxAccount,
  bid: L1Fees & { nonce: number },
): { raw: Hex; hash: Hash } {
  if ('sidecars' in cargo) {
    return signBlobTransaction({ ...account, ...bid, ...cargo, gas: BASE_GAS }, privateKey)
  }
  const gas = BASE_GAS + GAS_PER_BYTE * BigInt(cargo.data.length)
  const data = bytesToHex(cargo.data)
  return signL1Transaction({ ...account, ...bid, data, value: 0n, gas }, privateKey)
}
