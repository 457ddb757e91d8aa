import type { SignedTransaction } from '#protocol/types/transaction'

export interface PooledTransaction {
  readonly transaction: SignedTransaction
  /** Counts up over the pool's life: among equal tips the older goes first. */
  readonly arrival: number
  /** Estimated bytes in a compressed batch (OP spec, Fjord), which the DA limit counts. */
  readonly estimatedSize: bigint
}

/** One sender's transactions by nonce, gaps allowed. */
export class SenderQueue {
  /** The sender's nonce in the newest pre-confirmed state known to the pool. */
  next = 0n
  readonly #byNonce = new Map<bigint, PooledTransaction>()

  get size(): number {
    return this.#byNonce.size
  }

  at(nonce: bigint): PooledTransaction | undefined {
    return this.#byNonce.get(nonce)
  }

  put(pooled: PooledTransaction): void {
    this.#byNonce.set(pooled.transaction.nonce, pooled)
  }

  remove(nonce: bigint): void {
    this.#byNonce.delete(nonce)
  }

  copy(): SenderQueue {
    const copy = new SenderQueue()
    copy.next = this.next
    for (const pooled of this.#byNonce.values()) copy.put(pooled)
    return copy
  }

  /** The one with the highest nonce, whose removal leaves no gap. */
  last(): PooledTransaction | undefined {
    let last: PooledTransaction | undefined
    for (const pooled of this.#byNonce.values()) {
      if (!last || pooled.transaction.nonce > last.transaction.nonce) last = pooled
    }
    return last
  }

  /** Those that can never be executed any more. */
  below(nonce: bigint): PooledTransaction[] {
    return [...this.#byNonce.values()].filter(({ transaction }) => transaction.nonce < nonce)
  }
}
