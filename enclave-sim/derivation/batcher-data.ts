import { equalsBytes, hexToBytes } from '@ethereumjs/util'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address } from '../execution/types.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { readRlpItem, readRlpList } from './rlp-item.ts'

/** Where `to` stands in the list of each type a batcher may use. Type 3 carries its data in blobs. */
const TO_INDEX: Readonly<Record<number, number>> = { 0: 3, 1: 4, 2: 5 }

/**
 * The call data of those transactions of an L1 block that the batcher sent to the inbox, in order.
 * Source: OP spec, Derivation, "L1 Retrieval".
 * @param transactions EIP-2718 bytes
 */
export function batcherData(
  transactions: readonly Uint8Array[],
  inbox: Address,
  batcher: Address,
): Uint8Array[] {
  const to = hexToBytes(inbox)
  return transactions.flatMap((raw) => {
    try {
      // Recovering a sender costs 0.1 ms: only for the few that go to the inbox.
      if (!isTo(raw, to)) return []
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
