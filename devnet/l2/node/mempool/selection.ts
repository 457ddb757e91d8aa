import { effectiveTip } from './effective-tip.ts'
import { PriorityQueue } from './priority-queue.ts'
import type { PooledTransaction, SenderQueue } from './sender-queue.ts'

interface Candidate {
  queue: SenderQueue
  pooled: PooledTransaction
  tip: bigint
}

/**
 * Hands out transactions for a block: the highest effective tip first, the older of equals, each
 * sender's in nonce order. Senders that were not there at the start wait for the next selection.
 */
export class Selection {
  readonly #candidates = new PriorityQueue<Candidate>(
    (a, b) => a.tip > b.tip || (a.tip === b.tip && a.pooled.arrival < b.pooled.arrival),
  )
  readonly #baseFee: bigint
  #current: Candidate | undefined

  constructor(queues: Iterable<SenderQueue>, baseFee: bigint) {
    this.#baseFee = baseFee
    for (const queue of queues) this.#push(queue, queue.next)
  }

  /** The best of what is left. A sender whose last one was not `accept`ed is left out from here on. */
  next(): PooledTransaction | undefined {
    this.#current = this.#candidates.pop()
    return this.#current?.pooled
  }

  /** The one handed out last stands in the block: its sender's next nonce may follow. */
  accept(): void {
    if (!this.#current) return
    const { queue, pooled } = this.#current
    this.#push(queue, pooled.transaction.nonce + 1n)
    this.#current = undefined
  }

  #push(queue: SenderQueue, nonce: bigint): void {
    const pooled = queue.at(nonce)
    if (!pooled) return
    const tip = effectiveTip(pooled.transaction, this.#baseFee)
    if (tip >= 0n) this.#candidates.push({ queue, pooled, tip })
  }
}
