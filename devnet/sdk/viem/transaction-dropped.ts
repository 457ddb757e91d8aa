import { BaseError, type Client, type Hash, isHash, type Transport } from 'viem'
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

  constructor(hash: Hash, reason: string, options: { cause?: unknown } = {}) {
    super('TRANSACTION_DROPPED', `Transaction ${hash} was dropped: ${reason}`, {
      hint: 'Send it again, if it still makes sense.',
      ...options,
    })
    this.hash = hash
    this.reason = reason
  }
}

/**
 * What `eth_sendRawTransactionSync` answers where the pool gives the transaction up while it is waited for.
 * Any other error comes back as it is: a refusal names no transaction, and a time-out has a code of its own.
 */
export function asDropped(error: unknown): unknown {
  const gaveUp = error instanceof BaseError && error.walk(isGivenUp)
  if (!gaveUp) return error
  const { data, details } = gaveUp as GivenUp
  return new TransactionDropped(data, details, { cause: error })
}

type GivenUp = BaseError & { code: -32000; data: Hash }

function isGivenUp(error: unknown): error is GivenUp {
  const { code, data } = Object(error)
  return code === -32000 && isHash(data)
}
