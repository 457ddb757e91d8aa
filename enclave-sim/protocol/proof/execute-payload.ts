import type { Executor } from '../execution/executor.ts'
import { TransactionInvalid } from '../execution/transaction-invalid.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { TransactionMalformed } from '../transaction/transaction-malformed.ts'
import type { Block, Header, PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'

export interface ExecutePayloadOptions {
  executor: Executor
  store: StateStore
  parent: { header: Header; hash: Hash }
  attributes: PayloadAttributes
  /** For BLOCKHASH. */
  blockHash(number: bigint): Promise<Hash | undefined>
}

/**
 * Executes a derived payload.
 * @returns the block, or undefined when a transaction may not stand in it: such a payload is invalid
 * as a whole, and derivation must replace it (OP specs, Holocene: "Engine Queue").
 * @throws EngineTrap: nobody can vouch for a block on which the engine broke
 */
export async function executePayload(options: ExecutePayloadOptions): Promise<Block | undefined> {
  const { executor, store, parent, attributes, blockHash } = options
  const block = await executor.openBlock({
    store,
    parent: parent.header,
    parentHash: parent.hash,
    attributes,
    blockHash,
  })
  try {
    for (const raw of attributes.transactions) await block.execute(decodeTransaction(raw))
  } catch (error) {
    if (error instanceof TransactionInvalid || error instanceof TransactionMalformed)
      return undefined
    throw error
  }
  const [fault] = block.faults
  if (fault) throw fault
  return await block.seal()
}
