import { equalsBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { decodeBlobTransaction, withoutSidecars } from './blob-transaction.ts'
import { readRlpItem, readRlpList } from './rlp-item.ts'

/** Where `to` stands in the list of each type a batcher may use. */
const TO_INDEX: Readonly<Record<number, number>> = { 0: 3, 1: 4, 2: 5, 3: 5 }

/** What a batcher transaction carries: its call data, or for each of its blobs a versioned hash. */
export type BatcherInput = Uint8Array | Hash

/**
 * The inputs of those transactions of an L1 block that the batcher sent to the inbox, in order.
 * Source: OP specs, Derivation, "L1 Retrieval"; Ecotone, "Blob Retrieval".
 * @param transactions EIP-2718 bytes
 */
export function batcherInputs(
  transactions: readonly Uint8Array[],
  inbox: Address,
  batcher: Address,
): BatcherInput[] {
  const to = hexToBytes(inbox)
  return transactions.flatMap((leaf): BatcherInput[] => {
    try {
      const raw = leaf[0] === 3 ? withoutSidecars(leaf) : leaf
      // Recovering a sender costs 0.1 ms: only for the few that go to the inbox.
      if (!isTo(raw, to)) return []
      if (raw[0] === 3) {
        const { from, blobVersionedHashes } = decodeBlobTransaction(raw)
        return from === batcher ? blobVersionedHashes : []
      }
      const { from, data } = decodeTransaction(raw)
      return from === batcher ? [data] : []
    } catch (error) {
      if (error instanceof RollbedError) return []
      throw error
    }
  })
}

/** @throws DerivationError */
function isTo(raw: Uint8Array, inbox: Uint8Array): boolean {
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!
  const index = TO_INDEX[type]
  if (index === undefined) return false
  const { payload } = readRlpItem(type === 0 ? raw : raw.subarray(1))
  const to = readRlpList(payload)[index]
  return to !== undefined && equalsBytes(to.payload, inbox)
}
