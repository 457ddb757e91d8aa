import { RollbedError } from '#protocol/errors/rollbed-error'
import { estimatedSize } from '#protocol/execution/l1-fee'
import type { Address, Hash } from '#protocol/types/bytes'
import type { SignedTransaction, Transaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import { checkForm, checkSender } from './check-transaction.ts'
import { effectiveTip, outbids } from './effective-tip.ts'
import type { PoolContext } from './pool-context.ts'
import { PoolRejected } from './pool-rejected.ts'
import { Selection } from './selection.ts'
import { type PooledTransaction, SenderQueue } from './sender-queue.ts'

export interface PoolLimits {
  /** Transactions in the pool. */
  total: number
  /** Transactions of one sender. */
  perSender: number
}

const DEFAULT_LIMITS: PoolLimits = { total: 10_000, perSender: 1_000 }

/** Learns of every transaction that left the pool without standing in a block. */
export type OnDiscarded = (transaction: SignedTransaction, reason: RollbedError) => void

/** Signed transactions that are not in a block yet. Bounded; holds no state of the chain. */
export class Pool {
  readonly #limits: PoolLimits
  readonly #onDiscarded: OnDiscarded
  readonly #byHash = new Map<Hash, PooledTransaction>()
  readonly #bySender = new Map<Address, SenderQueue>()
  #arrivals = 0

  constructor(onDiscarded: OnDiscarded = () => {}, limits: Partial<PoolLimits> = {}) {
    this.#onDiscarded = onDiscarded
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
  }

  get size(): number {
    return this.#byHash.size
  }

  get(hash: Hash): SignedTransaction | undefined {
    return this.#byHash.get(hash)?.transaction
  }

  /** All, in the order of arrival or replacement. */
  transactions(): SignedTransaction[] {
    return [...this.#byHash.values()].map(({ transaction }) => transaction)
  }

  /**
   * Takes a transaction in. When the pool is full, the cheapest transaction makes room for one that
   * pays more.
   * @throws PoolRejected
   */
  add(transaction: Transaction, context: PoolContext): SignedTransaction {
    if (isDeposit(transaction)) {
      // OP spec, Deposits: they come from L1 only.
      throw new PoolRejected('TYPE_NOT_SUPPORTED', 'transaction type not supported')
    }
    if (this.#byHash.has(transaction.hash)) throw new PoolRejected('ALREADY_KNOWN', 'already known')
    checkForm(transaction, context)
    const next = checkSender(transaction, context)
    const queue = this.#bySender.get(transaction.from) ?? new SenderQueue()
    queue.next = next
    const replaced = queue.at(transaction.nonce)
    if (replaced) this.#replace(replaced, transaction)
    else this.#makeRoom(transaction, queue, context.baseFee)
    const pooled: PooledTransaction = {
      transaction,
      arrival: this.#arrivals++,
      estimatedSize: estimatedSize(transaction.raw) / 1_000_000n,
    }
    queue.put(pooled)
    this.#bySender.set(transaction.from, queue)
    this.#byHash.set(transaction.hash, pooled)
    return transaction
  }

  /** Begins with what another pool holds, in its order. */
  takeOver(other: Pool): void {
    this.#arrivals = other.#arrivals
    for (const [hash, pooled] of other.#byHash) this.#byHash.set(hash, pooled)
    for (const [sender, queue] of other.#bySender) this.#bySender.set(sender, queue.copy())
  }

  /** Those that the next block could hold, and those that wait for a nonce before them. */
  content(): Record<'pending' | 'queued', SignedTransaction[]> {
    const pending: SignedTransaction[] = []
    const queued: SignedTransaction[] = []
    for (const transaction of this.transactions()) {
      const next = this.nextNonce(transaction.from)
      const isNext = next !== undefined && transaction.nonce < next
      ;(isNext ? pending : queued).push(transaction)
    }
    return { pending, queued }
  }

  /** What to put into a block with this base fee (wei), best first. */
  select(baseFee: bigint): Selection {
    return new Selection(this.#bySender.values(), baseFee)
  }

  /** The nonce after a sender's executable transactions; undefined when it has none. */
  nextNonce(sender: Address): bigint | undefined {
    const queue = this.#bySender.get(sender)
    let nonce = queue?.next ?? 0n
    if (!queue?.at(nonce)) return undefined
    while (queue.at(nonce)) nonce++
    return nonce
  }

  /**
   * These stand in the pre-confirmed block now; what they make impossible is discarded. A deposit takes a nonce
   * of its sender, too: who waits for one before his may be next, or never be.
   * @param nonceOf what a sender's nonce is after them
   */
  included(transactions: readonly Transaction[], nonceOf: (sender: Address) => bigint): void {
    for (const transaction of transactions) {
      if (isDeposit(transaction)) continue
      const pooled = this.#byHash.get(transaction.hash)
      if (pooled) this.#forget(pooled)
      this.setNextNonce(transaction.from, transaction.nonce + 1n)
    }
    for (const { from } of transactions.filter(isDeposit))
      if (this.#bySender.has(from)) this.setNextNonce(from, nonceOf(from))
  }

  /** The sender's nonce is now this one, whatever the pool thought. */
  setNextNonce(sender: Address, nonce: bigint): void {
    const queue = this.#bySender.get(sender)
    if (!queue) return
    queue.next = nonce
    for (const pooled of queue.below(nonce)) {
      const { transaction } = pooled
      const message = `nonce too low: next nonce ${nonce}, tx nonce ${transaction.nonce}`
      this.#discard(pooled, new PoolRejected('NONCE_TOO_LOW', message))
    }
  }

  /**
   * A block is sealed: who waits for a nonce before his may have it without a transaction of his own. By EIP-7702 an
   * authorization uses a nonce, and so does each contract that a delegated account creates.
   */
  refreshWaiting(nonceOf: (sender: Address) => bigint): void {
    for (const [sender, queue] of [...this.#bySender])
      if (!queue.at(queue.next)) this.setNextNonce(sender, nonceOf(sender))
  }

  /** The chain was rolled back: every sender stands where `nonceOf` says. */
  resetNonces(nonceOf: (sender: Address) => bigint): void {
    for (const sender of [...this.#bySender.keys()]) this.setNextNonce(sender, nonceOf(sender))
  }

  /** How many transactions the pool has ever taken in. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** Takes out what came in after this many arrivals. */
  discardSince(arrivals: number, reason: RollbedError): void {
    for (const pooled of [...this.#byHash.values()]) {
      if (pooled.arrival >= arrivals) this.#discard(pooled, reason)
    }
  }

  /** Takes a transaction out for good. */
  discard(hash: Hash, reason: RollbedError): void {
    const pooled = this.#byHash.get(hash)
    if (pooled) this.#discard(pooled, reason)
  }

  #replace(older: PooledTransaction, newer: SignedTransaction): void {
    if (!outbids(newer, older.transaction)) {
      throw new PoolRejected('REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced')
    }
    const message = `Transaction ${newer.hash} with the same nonce and higher fees took its place.`
    this.#discard(older, new RollbedError('TRANSACTION_REPLACED', message))
  }

  #makeRoom(transaction: SignedTransaction, queue: SenderQueue, baseFee: bigint): void {
    if (queue.size >= this.#limits.perSender) {
      throw new PoolRejected('SENDER_LIMIT', `account limit exceeded: pooled ${queue.size} txs`)
    }
    if (this.size < this.#limits.total) return
    const cheapest = this.#cheapest(queue, baseFee)
    if (
      !cheapest ||
      effectiveTip(cheapest.transaction, baseFee) >= effectiveTip(transaction, baseFee)
    ) {
      throw new PoolRejected('POOL_FULL', 'txpool is full')
    }
    const message = 'The pool was full and a transaction that pays more took its place.'
    this.#discard(cheapest, new RollbedError('TRANSACTION_EVICTED', message))
  }

  /** Among the last transactions of the other senders, so that no gap is made; the newest of equals. */
  #cheapest(except: SenderQueue, baseFee: bigint): PooledTransaction | undefined {
    let cheapest: PooledTransaction | undefined
    let lowest = 0n
    for (const queue of this.#bySender.values()) {
      const last = queue === except ? undefined : queue.last()
      if (!last) continue
      const tip = effectiveTip(last.transaction, baseFee)
      if (cheapest && (tip > lowest || (tip === lowest && last.arrival < cheapest.arrival)))
        continue
      cheapest = last
      lowest = tip
    }
    return cheapest
  }

  #discard(pooled: PooledTransaction, reason: RollbedError): void {
    this.#forget(pooled)
    this.#onDiscarded(pooled.transaction, reason)
  }

  #forget({ transaction }: PooledTransaction): void {
    this.#byHash.delete(transaction.hash)
    const queue = this.#bySender.get(transaction.from)
    queue?.remove(transaction.nonce)
    if (queue?.size === 0) this.#bySender.delete(transaction.from)
  }
}
