import { devnetSystemConfig } from '#devnet/rollup/genesis/devnet-system-config'
import { blockSize } from '#protocol/execution/block'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Alloc } from '#protocol/types/account'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { Transaction } from '#protocol/types/transaction'
import { BlockArchive } from '../../chain/block-archive.ts'
import { Chain } from '../../chain/chain.ts'
import { EventEmitter } from '../../chain/event-emitter.ts'
import type { ChainEvents } from '../../chain-view.ts'
import { Pool } from '../../mempool/pool.ts'
import type { BlockPlan } from '../../open-block/block-plan.ts'
import type { OpenSnapshot } from '../../open-block/open-snapshot.ts'

export const GENESIS_TIME = 1_700_000_000n
export const BLOCK_TIME = 2n
export const FEE_RECIPIENT: Address = '0x4200000000000000000000000000000000000011'

/** Counts its listeners: none should stay behind. */
class CountedEvents extends EventEmitter<ChainEvents> {
  count = 0

  override on<K extends keyof ChainEvents>(event: K, listener: (value: ChainEvents[K]) => void) {
    this.count += 1
    const forget = super.on(event, listener)
    let isOver = false
    return () => {
      if (!isOver) this.count -= 1
      isOver = true
      forget()
    }
  }
}

/**
 * The node's own chain with pool, archive and executor, made block by block and flashblock by flashblock
 * by hand: it has no sequencer and no L1, and its blocks hold no L1 attributes.
 */
export class ChainByHand extends Chain {
  declare readonly store: MemoryStore
  readonly #executor: Executor
  readonly #counted: CountedEvents
  readonly #own: number
  #open: { block: OpenBlock; plan: BlockPlan; flashblocks: number } | undefined

  constructor(config: ExecutionConfig, store: MemoryStore, genesis: Block, executor: Executor) {
    const events = new CountedEvents((error) => {
      throw error
    })
    const pool = new Pool((transaction, reason) =>
      events.emit('discarded', { transaction, reason }),
    )
    const blocks = new BlockArchive()
    blocks.append(genesis)
    const heads = { latest: genesis, safe: genesis, finalized: genesis }
    super({ config, heads, store, pool, events, blocks })
    this.#executor = executor
    this.#counted = events
    this.#own = events.count
  }

  /** Pre-confirms transactions as the next flashblock. */
  async flashblock(...raw: Uint8Array[]): Promise<OpenSnapshot> {
    const snapshot = await this.#grow(raw)
    this.publishFlashblock(snapshot)
    return snapshot
  }

  /** Seals what is pre-confirmed and begins the next block. */
  async seal(): Promise<Block> {
    const block = await this.#open!.block.seal()
    this.publishSealed(block)
    await this.begin()
    return block
  }

  /** Pre-confirms and seals at once. */
  async mine(...raw: Uint8Array[]): Promise<Block> {
    await this.flashblock(...raw)
    return this.seal()
  }

  /** @throws PoolRejected */
  async addToPool(raw: Uint8Array): Promise<Transaction> {
    const transaction = decodeTransaction(raw)
    await this.accept(transaction)
    return transaction
  }

  /** Takes the newest blocks out and drops what is pre-confirmed. */
  async reorg(count: number): Promise<void> {
    const target = this.blockByNumber(this.latest().header.number - BigInt(count))!
    this.publishRollback(target, target.header.stateRoot)
    await this.begin()
  }

  /** Listeners of all events but the chain's own. */
  get listenerCount(): number {
    return this.#counted.count - this.#own
  }

  /** Opens the next block, empty. */
  async begin(): Promise<void> {
    const parent = this.latest()
    const attributes = {
      timestamp: parent.header.timestamp + BLOCK_TIME,
      prevRandao: `0x${'ab'.repeat(32)}`,
      feeRecipient: FEE_RECIPIENT,
      parentBeaconBlockRoot: `0x${'cd'.repeat(32)}`,
      gasLimit: parent.header.gasLimit,
      eip1559: { denominator: 250, elasticity: 6 },
      minBaseFee: 0n,
      transactions: [],
    } satisfies PayloadAttributes
    const block = await this.#executor.openBlock({
      store: this.store,
      parent: parent.header,
      parentHash: parent.hash,
      attributes,
      blockHash: (number) => this.blockHash(number),
    })
    this.#open = { block, plan: planOf(parent, attributes), flashblocks: 0 }
    await this.flashblock()
  }

  async #grow(raw: readonly Uint8Array[]): Promise<OpenSnapshot> {
    const open = this.#open!
    const firstNewTransaction = open.block.transactions.length
    for (const bytes of raw) await open.block.execute(decodeTransaction(bytes))
    const header = await open.block.checkpoint()
    const transactions = [...open.block.transactions]
    return {
      flashblockIndex: open.flashblocks++,
      header,
      transactions,
      receipts: [...open.block.receipts],
      firstNewTransaction,
      size: blockSize({ header, transactions }),
      plan: open.plan,
      edits: [],
    }
  }
}

/** Nobody derives these blocks: their place on L1 is none. */
const planOf = (parent: Block, attributes: PayloadAttributes): BlockPlan => ({
  parent,
  parentStateRoot: parent.header.stateRoot,
  position: {
    origin: {
      ...{ hash: ZERO, parentHash: ZERO, number: 0n, timestamp: 0n, mixHash: ZERO },
      ...{ transactionsRoot: ZERO, receiptsRoot: ZERO, logsBloom: new Uint8Array(256) },
      ...{ baseFee: 0n, blobBaseFee: 0n, parentBeaconBlockRoot: ZERO },
    },
    sequenceNumber: 0n,
    systemConfig: devnetSystemConfig,
  },
  attributes,
  timestampMs: attributes.timestamp * 1000n,
  baseFeePerGas: undefined,
  isDrifted: false,
  conditions: {},
  divergence: undefined,
})

const ZERO: Hash = `0x${'00'.repeat(32)}`

/** The chain at genesis, with an empty pending block. */
export async function createChainByHand(
  config: ExecutionConfig,
  alloc: Alloc,
): Promise<ChainByHand> {
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
  const chain = new ChainByHand(config, store, genesis, await createExecutor(config))
  await chain.begin()
  return chain
}
