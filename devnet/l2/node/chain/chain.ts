import { RollbedError } from '#protocol/errors/rollbed-error'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import { type L1FeeParameters, readL1FeeParameters } from '#protocol/execution/l1-fee'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { L1_BLOCK } from '#protocol/execution/predeploys'
import type { Account } from '#protocol/types/account'
import type { Block, Header } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { StateStore } from '#protocol/types/state'
import { isDeposit, type SignedTransaction, type Transaction } from '#protocol/types/transaction'
import { rulesAt } from '#protocol/upgrades/schedule'
import type { ChainControl } from '../chain-control.ts'
import {
  type ChainEvents,
  type ChainView,
  type Divergence,
  isSealed,
  type PendingBlock,
  type TransactionLocation,
} from '../chain-view.ts'
import type { Pool } from '../mempool/pool.ts'
import type { PoolContext } from '../mempool/pool-context.ts'
import { PoolRejected } from '../mempool/pool-rejected.ts'
import type { OpenSnapshot } from '../open-block/open-snapshot.ts'
import { readFetching } from '../state/read-fetching.ts'
import type { BlockHistory } from './block-history.ts'
import { ChainWaits } from './chain-waits.ts'
import { decodeSubmission } from './decode-submission.ts'
import { DropLog } from './drop-log.ts'
import type { EventEmitter } from './event-emitter.ts'

export interface ChainOptions {
  config: ExecutionConfig
  /** Where the chain stands: at its genesis, or where it was left. */
  heads: ChainHeads
  /** Holds the state of the newest block. */
  store: StateStore
  pool: Pool
  events: EventEmitter<ChainEvents>
  /** Up to the newest block. The chain does not close it. */
  blocks: BlockHistory
  /** Number of the first block, whose state stays readable for ever. @default 0 */
  first?: bigint
  /** Of the blocks below the first one, in a fork. */
  hashBelow?: ((number: bigint) => Promise<Hash>) | undefined
  /** Of what lies below the first block built here: no rollback takes it away. */
  divergence?: Divergence | undefined
  /** What cheats did to it in the life of an earlier process. */
  cheated?: CheatedChain | undefined
}

export interface CheatedChain {
  divergence: Divergence | undefined
  /** States that reads at blocks see in place of their own. */
  patches: { block: Block; stateRoot: Hash }[]
}

export interface ChainHeads {
  latest: Block
  safe: Block
  finalized: Block
}

const EMPTY = new Uint8Array(0)

/** What is known of the chain, published as immutable blocks and snapshots. */
export class Chain implements ChainView, ChainControl {
  readonly chainId: bigint
  readonly store: StateStore
  readonly drops = new DropLog()
  readonly #config: ExecutionConfig
  readonly #pool: Pool
  readonly #events: EventEmitter<ChainEvents>
  readonly #blocks: BlockHistory
  readonly #first: bigint
  readonly #hashBelow: ChainOptions['hashBelow']
  #latest: Block
  #safe: Block
  #finalized: Block
  #pending: OpenSnapshot | undefined
  /** Where in the pending block its transactions stand. */
  #pendingIndex = new Map<Hash, number>()
  readonly #patchedStates = new Map<Hash, { number: bigint; stateRoot: Hash }>()
  /** Of the states kept, beside that of genesis. */
  #oldestState = 0n
  readonly #inheritedDivergence: Divergence | undefined
  #divergence: Divergence | undefined
  #lastSent: bigint
  #l1Fees: { parentHash: Hash; parameters: Promise<L1FeeParameters> } | undefined
  /** Why the newest block could not be written. */
  #unwritten: RollbedError | undefined

  constructor(options: ChainOptions) {
    const { config, heads } = options
    this.chainId = config.chainId
    this.store = options.store
    this.#config = config
    this.#pool = options.pool
    this.#events = options.events
    this.#blocks = options.blocks
    this.#first = options.first ?? 0n
    this.#hashBelow = options.hashBelow
    this.#inheritedDivergence = options.divergence
    this.#divergence = options.divergence ?? options.cheated?.divergence
    for (const { block, stateRoot } of options.cheated?.patches ?? []) {
      this.#patchedStates.set(block.hash, { number: block.header.number, stateRoot })
    }
    this.#latest = heads.latest
    this.#safe = heads.safe
    this.#finalized = heads.finalized
    // What an earlier process sent is not known.
    this.#lastSent = heads.latest.header.number
    this.on('discarded', ({ transaction, reason }) => this.drops.add(transaction.hash, reason))
    this.on('pooled', ({ hash }) => this.drops.forget(hash))
  }

  latest(): Block {
    return this.#latest
  }

  safe(): Block {
    return this.#safe
  }

  finalized(): Block {
    return this.#finalized
  }

  pending(): OpenSnapshot | undefined {
    return this.#pending
  }

  blockByNumber(number: bigint): Block | undefined {
    return this.#blocks.byNumber(number)
  }

  blockByHash(hash: Hash): Block | undefined {
    return this.#blocks.byHash(hash)
  }

  async blockHash(number: bigint): Promise<Hash | undefined> {
    return number < this.#first ? this.#hashBelow?.(number) : this.#blocks.hashOf(number)
  }

  numbersWithLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    return this.#blocks.withLogs(first, last, mayHold)
  }

  isStatePruned(number: bigint): boolean {
    return number > this.#first && number < this.#oldestState
  }

  findTransaction(hash: Hash): TransactionLocation | undefined {
    const sealed = this.#blocks.findTransaction(hash)
    if (sealed) return sealed
    const index = this.#pendingIndex.get(hash)
    return index !== undefined && this.#pending ? { block: this.#pending, index } : undefined
  }

  pooledTransaction(hash: Hash): Transaction | undefined {
    return this.#pool.get(hash)
  }

  nextPoolNonce(sender: Address): bigint | undefined {
    return this.#pool.nextNonce(sender)
  }

  poolContent(): Record<'pending' | 'queued', SignedTransaction[]> {
    return this.#pool.content()
  }

  account(stateRoot: Hash, address: Address): Account | undefined {
    return readAccount(this.store, stateRoot, address)
  }

  code(codeHash: Hash): Uint8Array {
    return this.store.get(codeHash) ?? EMPTY
  }

  storage(stateRoot: Hash, address: Address, slot: Hash): Hash {
    return readStorage(this.store, stateRoot, address, slot)
  }

  async submit(raw: Uint8Array): Promise<Hash> {
    const transaction = decodeSubmission(raw)
    this.assertWritten()
    return this.accept(transaction)
  }

  assertWritten(): void {
    if (this.#unwritten) throw new ChainWaits(this.#unwritten)
  }

  async accept(transaction: Transaction): Promise<Hash> {
    await this.#add(transaction)
    return transaction.hash
  }

  async takeBack(transaction: SignedTransaction): Promise<void> {
    try {
      await this.#add(transaction, { ignoresFunds: true })
    } catch (error) {
      if (!(error instanceof PoolRejected)) throw error
      this.#events.emit('discarded', { transaction, reason: error })
    }
  }

  on<K extends keyof ChainEvents>(event: K, listener: (value: ChainEvents[K]) => void): () => void {
    return this.#events.on(event, listener)
  }

  publishFlashblock(pending: OpenSnapshot): void {
    this.#setPending(pending)
    const fresh = pending.transactions.slice(pending.firstNewTransaction)
    this.#pool.included(fresh, this.#nonceOf())
    this.#events.emit('flashblock', pending)
  }

  publishSealed(block: Block, next?: OpenSnapshot): void {
    if (block.header.parentHash !== this.#latest.hash) throw notOnTop(block.header, this.#latest)
    this.#write(() => this.#blocks.append(block))
    this.#latest = block
    if (next) this.#setPending(next)
    else this.#clearPending()
    this.#pool.included([...block.transactions, ...(next?.transactions ?? [])], this.#nonceOf())
    this.#pool.refreshWaiting(this.#nonceOf())
    this.#events.emit('sealed', block)
    if (next) this.#events.emit('flashblock', next)
  }

  publishRollback(target: Block, stateRoot: Hash, next?: OpenSnapshot): Block[] {
    this.assertCanonical(target)
    const dropped = this.#pending
    const { number } = target.header
    const patch = { block: target, stateRoot }
    const removed = this.#write(() => this.#blocks.removeAbove(number, patch))
    this.patchState(target, stateRoot)
    for (const { hash } of removed) this.#patchedStates.delete(hash)
    if (this.#oldestState > target.header.number) this.#oldestState = target.header.number + 1n
    this.#latest = target
    if (this.#safe.header.number > target.header.number) this.#safe = target
    if (this.#finalized.header.number > target.header.number) this.#finalized = target
    if (this.#divergence && this.#divergence.since > target.header.number) {
      this.#divergence = this.#inheritedDivergence
    }
    this.#l1Fees = undefined
    if (next) this.#setPending(next)
    else this.#clearPending()
    this.#pool.resetNonces(this.#nonceOf())
    if (dropped) this.#events.emit('dropped', dropped)
    if (removed.length > 0) this.#events.emit('reorg', { removed })
    if (next) this.#events.emit('flashblock', next)
    return removed
  }

  stateRootOf(block: Block | PendingBlock): Hash {
    const patched = isSealed(block) ? this.#patchedStates.get(block.hash) : undefined
    return patched?.stateRoot ?? block.header.stateRoot
  }

  keepPatch(block: Block, stateRoot: Hash): void {
    this.assertCanonical(block)
    this.#blocks.patch?.({ block, stateRoot })
  }

  patchState(block: Block, stateRoot: Hash): void {
    this.assertCanonical(block)
    const { number } = block.header
    if (stateRoot === block.header.stateRoot) this.#patchedStates.delete(block.hash)
    else this.#patchedStates.set(block.hash, { number, stateRoot })
    this.#events.emit('patched', { block, stateRoot })
  }

  forgetStatesBelow(number: bigint): void {
    this.#oldestState = number
    for (const [hash, patched] of this.#patchedStates) {
      if (this.isStatePruned(patched.number)) this.#patchedStates.delete(hash)
    }
  }

  divergence(): Divergence | undefined {
    return this.#divergence
  }

  markDiverged(divergence: Divergence): void {
    if (this.#divergence) return
    this.#divergence = divergence
    this.#events.emit('diverged', divergence)
  }

  markSent(number: bigint): void {
    if (number > this.#lastSent) this.#lastSent = number
  }

  lastSent(): bigint {
    return this.#lastSent
  }

  markSafe(block: Block): void {
    this.assertCanonical(block)
    if (block.header.number <= this.#safe.header.number) return
    this.#safe = block
    // L1 alone gives blocks too, after a window without batches.
    this.markSent(block.header.number)
    this.#events.emit('safe', block)
  }

  unmarkSafe(block: Block): void {
    this.assertCanonical(block)
    if (block.header.number >= this.#safe.header.number) return
    this.#safe = block
    if (block.header.number < this.#finalized.header.number) this.#finalized = block
    this.#events.emit('safe', block)
  }

  markFinalized(block: Block): void {
    this.markSafe(block)
    if (block.header.number <= this.#finalized.header.number) return
    this.#finalized = block
    this.#events.emit('finalized', block)
  }

  assertCanonical(block: Block): void {
    if (this.#blocks.byNumber(block.header.number)?.hash === block.hash) return
    throw new RollbedError(
      'BLOCK_NOT_CANONICAL',
      `Block ${block.header.number} ${block.hash} is not part of this chain.`,
    )
  }

  async #add(
    transaction: Transaction,
    exception: Pick<PoolContext, 'ignoresFunds'> = {},
  ): Promise<void> {
    const l1 = await this.#l1FeeParameters()
    // Synchronous: the state read is the newest one when the pool decides.
    await readFetching(this.store, () => {
      this.#pool.add(transaction, { ...this.#poolContext(l1), ...exception })
      this.#events.emit('pooled', transaction)
    })
  }

  /** Tells as discarded what stood in these blocks, which are gone, and is nowhere by now. */
  tellLost(gone: readonly (Block | PendingBlock | undefined)[], reason: RollbedError): void {
    for (const transaction of gone.flatMap((block) => block?.transactions ?? [])) {
      if (isDeposit(transaction)) continue
      const { hash } = transaction
      if (this.findTransaction(hash) || this.pooledTransaction(hash)) continue
      this.#events.emit('discarded', { transaction, reason })
    }
  }

  /** Tells when what is written begins to wait for the disk, and when that is over. */
  #write<T>(write: () => T): T {
    try {
      const written = write()
      const hasWaited = this.#unwritten !== undefined
      this.#unwritten = undefined
      if (hasWaited) this.#events.emit('waits', undefined)
      return written
    } catch (error) {
      if (Object(error).code === 'HISTORY_NOT_WRITTEN') {
        const isNew = this.#unwritten === undefined
        this.#unwritten = error as RollbedError
        if (isNew) this.#events.emit('waits', this.#unwritten)
      }
      throw error
    }
  }

  #setPending(pending: OpenSnapshot): void {
    if (pending.header.parentHash !== this.#latest.hash)
      throw notOnTop(pending.header, this.#latest)
    const { transactions, firstNewTransaction } = pending
    if (firstNewTransaction === 0) this.#pendingIndex = new Map()
    for (let index = firstNewTransaction; index < transactions.length; index++) {
      this.#pendingIndex.set(transactions[index]!.hash, index)
    }
    this.#pending = pending
  }

  #clearPending(): void {
    this.#pending = undefined
    this.#pendingIndex = new Map()
  }

  /** What a sender's nonce is in the newest state. */
  #nonceOf(): (sender: Address) => bigint {
    const { stateRoot } = this.#preconfirmed()
    return (sender) => this.account(stateRoot, sender)?.nonce ?? 0n
  }

  /** The header of the newest block, with the state that reads see. */
  #preconfirmed(): Header {
    const block = this.#pending ?? this.#latest
    return { ...block.header, stateRoot: this.stateRootOf(block) }
  }

  #poolContext(l1: L1FeeParameters): PoolContext {
    const header = this.#preconfirmed()
    const { chainId, fork, upgrades } = this.#config
    return {
      chainId,
      fork,
      l1,
      gasLimit: header.gasLimit,
      transactionGasCap: rulesAt(upgrades, header.timestamp * 1000n).transactionGasCap,
      baseFee: this.#pending ? header.baseFeePerGas : nextBaseFee(header, fork),
      account: (address) => this.account(header.stateRoot, address),
      code: (codeHash) => this.code(codeHash),
    }
  }

  /** The L1-attributes deposit sets them once per block. */
  #l1FeeParameters(): Promise<L1FeeParameters> {
    const { parentHash, stateRoot } = this.#preconfirmed()
    if (this.#l1Fees?.parentHash !== parentHash) {
      const readSlot = async (slot: Hash) => BigInt(this.storage(stateRoot, L1_BLOCK, slot))
      const parameters = readL1FeeParameters(readSlot, this.#config.fork)
      this.#l1Fees = { parentHash, parameters }
    }
    return this.#l1Fees.parameters
  }
}

function notOnTop(header: Header, latest: Block): RollbedError {
  return new RollbedError(
    'BLOCK_NOT_ON_TOP',
    `Block ${header.number} does not build on ${latest.hash}, the newest block.`,
  )
}
