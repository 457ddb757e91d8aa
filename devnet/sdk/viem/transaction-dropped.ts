import type { Client, Hash, Transport } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** A transaction that neither waits nor stands in a block any more. */
export interface DroppedTransaction {
  hash: Hash
  /** Stable: `TRANSACTION_DROPPED` where the chain went back, `TRANSACTION_REPLACED`, `NONCE_TOO_LOW` … */
  code: string
  /** One sentence, or geth's words. */
  reason: string
}

/** What a devnet answers to `rollbed_drops`. */
export interface Drops {
  lastId: number
  drops: (DroppedTransaction & { id: number })[]
}

/** @param which of one transaction, or those after an id */
export function readDrops(client: Client<Transport>, which: Hash | number): Promise<Drops> {
  return client.request<{ Method: string; Parameters: unknown[]; ReturnType: Drops }>({
    method: 'rollbed_drops',
    params: [which],
  })
}

/** Nobody will include the transaction any more. `code` is `TRANSACTION_DROPPED`. */
export class TransactionDropped extends RollbedError {
  readonly hash: Hash
  /** Why, as the node says it. */
  readonly reason: string

  constructor(hash: Hash, reason: string) {
    super('TRANSACTION_DROPPED', `Transaction ${hash} was dropped: ${reason}`, {
      hint: 'Send it again, if it still makes sense.',
    })
    this.hash = hash
    this.reason = reason
  }
}
