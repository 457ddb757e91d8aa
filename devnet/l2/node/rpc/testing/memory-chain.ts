import { readAccount, readStorage } from '#protocol/execution/account-reader'
import { blockSize } from '#protocol/execution/block'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Account, Alloc } from '#protocol/types/account'
import type { Block } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import { isDeposit, type SignedTransaction, type Transaction } from '#protocol/types/transaction'
import type { ChainEvents, ChainView, PendingBlock, TransactionLocation } from '../../chain-view.ts'

export const GENESIS_TIME = 1_700_000_000n
export const BLOCK_TIME = 2n
export const FEE_RECIPIENT: Address = '0x4200000000000000000000000000000000000011'

/**
 * A chain for tests, made block by block and flashblock by flashblock by hand. It has the real
 * executor and state, and no sequencer.
 */
export class MemoryChain implements ChainView {
  readonly chainId: bigint
  readonly store: MemoryStore
  readonly #executor: Executor
  readonly #blocks: Block[]
  readonly #listeners = new Map<string, Set<(value: never) => void>>()
  readonly #pool = new Map<Hash, Transaction>()
  #open: OpenBlock | undefined
  #pending: PendingBlock | undefined
  #safe = 0
  #finalized = 0

  constructor(config: ExecutionConfig, store: MemoryStore, genesis: Block, executor: Executor) {
    this.chainId = config.chainId
    this.store = store
    this.#executor = executor
    this.#blocks = [genesis]
  }

  /** Pre-confirms transactions as the next flashblock. */
  async flashblock(...raw: Uint8Array[]): Promise<PendingBlock> {
    const open = this.#open!
    const firstNewTransaction = open.transactions.length
    for (const bytes of raw) await open.execute(decodeTransaction(bytes))
    const header = await open.checkpoint()
    const transactions = [...open.transactions]
    this.#pending = {
      flashblockIndex: (this.#pending?.flashblockIndex ?? -1) + 1,
      header,
      transactions,
      receipts: [...open.receipts],
      firstNewTransaction,
      size: blockSize({ header, transactions }),
    }
    this.#emit('flashblock', this.#pending)
    return this.#pending
  }

  /** Seals what is pre-confirmed and begins the next block. */
  async seal(): Promise<Block> {
    const block = await this.#open!.seal()
    this.#blocks.push({ ...block })
    this.#emit('sealed', block)
    await this.begin()
    return block
  }

  /** Pre-confirms and seals at once. */
  async mine(...raw: Uint8Array[]): Promise<Block> {
    await this.flashblock(...raw)
    return this.seal()
  }

  markSafe(number: number): void {
    this.#safe = number
  }

  markFinalized(number: number): void {
    this.#finalized = number
  }

  addToPool(raw: Uint8Array): Transaction {
    const transaction = decodeTransaction(raw)
    this.#pool.set(transaction.hash, transaction)
    this.#emit('pooled', transaction)
    return transaction
  }

  /** Takes the newest blocks out and drops what is pre-confirmed. */
  async reorg(count: number): Promise<void> {
    const dropped = this.#pending!
    const removed = this.#blocks.splice(-count).reverse()
    this.#emit('dropped', dropped)
    this.#emit('reorg', { removed })
    await this.begin()
  }

  latest = (): Block => this.#blocks.at(-1)!
  safe = (): Block => this.#blocks[this.#safe]!
  finalized = (): Block => this.#blocks[this.#finalized]!
  pending = (): PendingBlock | undefined => this.#pending
  blockByNumber = (number: bigint): Block | undefined => this.#blocks[Number(number)]
  blockByHash = (hash: Hash): Block | undefined => this.#blocks.find((block) => block.hash === hash)
  blockHash = async (number: bigint) => this.blockByNumber(number)?.hash
  pooledTransaction = (hash: Hash): Transaction | undefined => this.#pool.get(hash)
  code = (codeHash: Hash): Uint8Array => this.store.get(codeHash) ?? new Uint8Array(0)
  /** It keeps every state, and nobody cheats. */
  isStatePruned = (): boolean => false
  stateRootOf = ({ header }: Block | PendingBlock): Hash => header.stateRoot
  divergence = (): undefined => undefined

  nextPoolNonce(sender: Address): bigint | undefined {
    let next: bigint | undefined
    for (const transaction of this.#pool.values()) {
      if (isDeposit(transaction) || transaction.from !== sender) continue
      if (next === undefined || transaction.nonce >= next) next = transaction.nonce + 1n
    }
    return next
  }

  /** It knows of no gaps. */
  poolContent(): Record<'pending' | 'queued', SignedTransaction[]> {
    const pending = [...this.#pool.values()].filter((each) => !isDeposit(each))
    return { pending: pending as SignedTransaction[], queued: [] }
  }

  numbersWithLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    return this.#blocks.flatMap(({ header: { number, logsBloom } }) =>
      number >= first && number <= last && mayHold(logsBloom) ? [number] : [],
    )
  }

  findTransaction(hash: Hash): TransactionLocation | undefined {
    for (const block of [...this.#blocks, this.#pending!]) {
      const index = block.transactions.findIndex((transaction) => transaction.hash === hash)
      if (index >= 0) return { block, index }
    }
    return undefined
  }

  account(stateRoot: Hash, address: Address): Account | undefined {
    return readAccount(this.store, stateRoot, address)
  }

  storage(stateRoot: Hash, address: Address, slot: Hash): Hash {
    return readStorage(this.store, stateRoot, address, slot)
  }

  /** Pre-confirms at once. */
  async submit(raw: Uint8Array): Promise<Hash> {
    const { hash } = decodeTransaction(raw)
    await this.flashblock(raw)
    return hash
  }

  on<K extends keyof ChainEvents>(event: K, listener: (value: ChainEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Listeners of all events; none should stay behind. */
  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #emit<K extends keyof ChainEvents>(event: K, value: ChainEvents[K]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value as never)
  }

  /** Opens the next block, empty. */
  async begin(): Promise<void> {
    const parent = this.latest()
    this.#pending = undefined
    this.#open = await this.#executor.openBlock({
      store: this.store,
      parent: parent.header,
      parentHash: parent.hash,
      attributes: {
        timestamp: parent.header.timestamp + BLOCK_TIME,
        prevRandao: `0x${'ab'.repeat(32)}`,
        feeRecipient: FEE_RECIPIENT,
        parentBeaconBlockRoot: `0x${'cd'.repeat(32)}`,
        gasLimit: parent.header.gasLimit,
        eip1559: { denominator: 250, elasticity: 6 },
        minBaseFee: 0n,
        transactions: [],
      },
      blockHash: this.blockHash,
    })
    await this.flashblock()
  }
}

/** The chain at genesis, with an empty pending block. */
export async function createMemoryChain(
  config: ExecutionConfig,
  alloc: Alloc,
): Promise<MemoryChain> {
  const store = new MemoryStore()
  const genesis = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, alloc),
    fork: config.fork,
    timestamp: GENESIS_TIME,
    gasLimit: 60_000_000n,
    baseFeePerGas: 1_000_000_000n,
    eip1559: { denominator: 250, elasticity: 6 },
  })
  const chain = new MemoryChain(config, store, genesis, await createExecutor(config))
  await chain.begin()
  return chain
}
