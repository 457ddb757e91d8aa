import { concatBytes } from '@ethereumjs/util'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { decodeList, hash, list, quantity } from '../transaction/rlp-fields.ts'
import { recoverSender } from '../transaction/signature.ts'
import { TransactionMalformed } from '../transaction/transaction-malformed.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { readRlpItem, readRlpList } from './rlp-item.ts'

/** What derivation reads of an EIP-4844 transaction; its call data is ignored. */
export interface BlobTransaction {
  from: Address
  blobVersionedHashes: Hash[]
}

/** chain_id … access_list, max_fee_per_blob_gas, blob_versioned_hashes, y_parity, r, s. */
const FIELD_COUNT = 14

/**
 * Decodes a type 3 transaction as it stands in an L1 block, without its blobs.
 * @throws TransactionMalformed
 */
export function decodeBlobTransaction(raw: Uint8Array): BlobTransaction {
  const fields = decodeList(raw.subarray(1), FIELD_COUNT)
  const signed = fields.slice(0, FIELD_COUNT - 3)
  const v = quantity(fields[11], 'signature parity', 8)
  if (v > 1n) {
    throw new TransactionMalformed('SIGNATURE_INVALID', `The signature parity is ${v}, not 0 or 1.`)
  }
  const message = concatBytes(Uint8Array.of(3), encodeRlp(signed as Uint8Array[]))
  const [r, s] = [quantity(fields[12], 'r', 32), quantity(fields[13], 's', 32)]
  return {
    from: recoverSender(message, r, s, v === 1n ? 1 : 0),
    blobVersionedHashes: list(fields[10], 'blob hashes').map((item) => hash(item, 'blob hash')),
  }
}

/**
 * The transaction as a block has it, of one that may have its blobs around it: anvil up to 1.7.1 has
 * its blocks' transactions root over the form for the network (foundry issue 15132).
 * @throws DerivationError
 */
export function withoutSidecars(raw: Uint8Array): Uint8Array {
  const [first] = readRlpList(readRlpItem(raw.subarray(1)).payload)
  return first?.isList ? concatBytes(raw.subarray(0, 1), first.encoded) : raw
}
