import { bytesToHex } from '@ethereumjs/util'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { Turns } from '#devnet/base/process/turns'
import type { EffectsOn } from '#devnet/faults/fault-effects'
import { paceSlots, type SlotPace } from '#devnet/l1/pace-slots'
import type { L1BlockRef } from '#devnet/l1/start-l1'
import { BlockArchive } from '#devnet/l2/node/chain/block-archive'
import { decodeSubmission } from '#devnet/l2/node/chain/decode-submission'
import { EventEmitter } from '#devnet/l2/node/chain/event-emitter'
import type {
  ChainEvents,
  ChainView,
  PendingBlock,
  TransactionLocation,
} from '#devnet/l2/node/chain-view'
import { Pool } from '#devnet/l2/node/mempool/pool'
import type { PoolContext } from '#devnet/l2/node/mempool/pool-context'
import { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { giveBackEngine, takeEngine } from '#protocol/evm/idle-engines'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import type { Machine } from '#protocol/execution/machine'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { Rng } from '#protocol/random/rng'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Account } from '#protocol/types/account'
import type { Block } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { SignedTransaction, Transaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import type { L1Beginning } from './l1-beginning.ts'
import { l1Genesis } from './l1-genesis.ts'
import { createL1Machine } from './l1-machine.ts'
import { nextL1BaseFee, openL1Block } from './open-l1-block.ts'

export interface SimulatedL1Options {
  clock: Clock
  /** What each block's prevRandao is drawn from. */
  rng: Rng
  chainId: number
  /** Seconds; the timestamp of block 0. */
  genesisTime: number
  /** Seconds between blocks on the clock; 0: only `mine()` makes blocks. */
  blockTime: number
  /** No block comes on the clock before the first of `mineAhead`. @default false */
  waits?: boolean
}

/** What `reorg` does. */
export interface L1Reorg {
  /** Newest blocks that are replaced by as many others. */
  depth: number
  /** Their transactions come again, as far as they still can. */
  keep: boolean
}

/** As deep as L1 can be asked about its past, and be reorganised. */
const STATES_REMEMBERED = 256
/** `safe` is so many blocks behind the head, `finalized` twice as many: as our anvil. */
const SAFE_DISTANCE = 2n
/** There is no fee for another L1 on L1. */
const NO_L1_FEES: PoolContext['l1'] = {
  l1GasPrice: 0n,
  l1BlobBaseFee: 0n,
  l1BaseFeeScalar: 0n,
  l1BlobBaseFeeScalar: 0n,
  operatorFeeScalar: 0n,
  operatorFeeConstant: 0n,
  daFootprintGasScalar: 0n,
}

/**
 * An L1 in this thread: Prague's rules on our own EVM, blocks on the injected clock, and the
 * misfortunes of a chain on demand. Held to anvil by a differential test.
 */
export class SimulatedL1 implements ChainView, OwnedResource {
  readonly chainId: bigint
  readonly store: PrunedStore
  readonly pool = new Pool()
  readonly #options: SimulatedL1Options
  readonly #machine: Machine
  readonly #blocks = new BlockArchive()
  readonly #events: EventEmitter<ChainEvents>
  readonly #genesisRoot: Hash
  #latest: Block
  /** Above it states are kept, and that of genesis. */
  #oldestState = 1n
  readonly #turns = new Turns()
  #pace: SlotPace | undefined
  #standsStill = false
  #leastBaseFee = 0n

  constructor(options: SimulatedL1Options, parts: { beginning: L1Beginning; machine: Machine }) {
    this.#options = options
    this.chainId = BigInt(options.chainId)
    const { blocks, genesisRoot, states } = parts.beginning
    this.store = new PrunedStore(states)
    this.#machine = parts.machine
    this.#genesisRoot = genesisRoot
    for (const block of blocks) this.#blocks.append(block)
    this.#latest = blocks.at(-1)!
    this.#events = new EventEmitter(() => {})
  }

  /** From here on blocks come on the clock. */
  start(): void {
    const { clock, genesisTime, blockTime, waits = false } = this.#options
    if (blockTime === 0) return
    this.#pace = paceSlots({
      clock,
      genesisTime,
      slotTime: blockTime,
      last: Math.floor((Number(this.#latest.header.timestamp) - genesisTime) / blockTime),
      waits,
      onSlot: (slot) => {
        if (!this.#standsStill) void this.mine(this.#timeOf(slot))
      },
    })
  }

  /** Mines one block after those already asked for; without a timestamp (seconds) at the clock's time. */
  mine(timestamp = Math.floor(this.#options.clock.now() / 1000)): Promise<L1BlockRef> {
    return this.#turns.take(() => this.#mine(BigInt(timestamp)))
  }

  /**
   * Mines the block of the next slot now, however far off that is, and none when it comes. As `mine`
   * where there are no slots.
   */
  mineAhead(): Promise<L1BlockRef> {
    return this.mine(this.#pace && this.#timeOf(this.#pace.take()))
  }

  /** Resolves when every block that fell due on the clock is mined. */
  async idle(): Promise<void> {
    await this.#turns.idle()
  }

  /** The newest blocks are replaced by as many others, at the same times. */
  reorg({ depth, keep }: L1Reorg): Promise<void> {
    return this.#turns.take(async () => {
      const head = this.#latest.header.number
      const target = head - BigInt(depth)
      if (target < 0n || this.isStatePruned(target)) throw new ReorgTooDeep(depth)
      const removed = this.#blocks.removeAbove(target)
      for (const { header } of removed) this.store.release(header.stateRoot)
      this.#latest = this.#blocks.byNumber(target)!
      const nonceOf = (address: Address) => this.#accountNow(address)?.nonce ?? 0n
      this.pool.resetNonces(nonceOf)
      this.#events.emit('reorg', { removed })
      const inOrder = [...removed].reverse()
      if (keep) for (const { transactions } of inOrder) this.#takeBack(transactions)
      else for (const { hash } of this.pool.transactions()) this.pool.discard(hash, dropped(hash))
      for (const { header } of inOrder) await this.#mine(header.timestamp)
    })
  }

  /** What can go wrong with it as a chain. */
  readonly effects: EffectsOn<'chain'> = {
    reorg: async ({ depth, keep }) => {
      await this.reorg({ depth, keep })
      return undefined
    },
    // No block comes on the clock.
    still: () => {
      this.#standsStill = true
      return () => {
        this.#standsStill = false
      }
    },
    gas_spike: ({ gwei }) => {
      this.#leastBaseFee = BigInt(gwei) * 1_000_000_000n
      return () => {
        this.#leastBaseFee = 0n
      }
    },
  }

  /** What the next block asks for, in wei. */
  nextBaseFee(): bigint {
    const { header } = this.#latest
    // As anvil: the first block has the fee of genesis.
    const fee = header.number === 0n ? header.baseFeePerGas : nextL1BaseFee(header)
    return fee > this.#leastBaseFee ? fee : this.#leastBaseFee
  }

  async stop(): Promise<void> {
    this.#pace?.cancel()
    await this.#turns.idle()
    giveBackEngine(this.#machine.engine)
    this.#blocks.close()
  }

  latest = (): Block => this.#latest
  pending = () => undefined
  divergence = () => undefined
  safe = (): Block => this.#behind(SAFE_DISTANCE)
  finalized = (): Block => this.#behind(2n * SAFE_DISTANCE)
  blockByNumber = (number: bigint): Block | undefined => this.#blocks.byNumber(number)
  blockByHash = (hash: Hash): Block | undefined => this.#blocks.byHash(hash)
  blockHash = async (number: bigint) => this.blockByNumber(number)?.hash
  pooledTransaction = (hash: Hash): Transaction | undefined => this.pool.get(hash)
  nextPoolNonce = (sender: Address): bigint | undefined => this.pool.nextNonce(sender)
  poolContent = () => this.pool.content()
  isStatePruned = (number: bigint): boolean => number > 0n && number < this.#oldestState

  numbersWithLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    return this.#blocks.withLogs(first, last, mayHold)
  }

  findTransaction(hash: Hash): TransactionLocation | undefined {
    return this.#blocks.findTransaction(hash)
  }

  stateRootOf = ({ header }: Block | PendingBlock): Hash =>
    header.number === 0n ? this.#genesisRoot : header.stateRoot

  account(stateRoot: Hash, address: Address): Account | undefined {
    return readAccount(this.store, stateRoot, address)
  }

  code(codeHash: Hash): Uint8Array {
    return this.store.get(codeHash) ?? new Uint8Array(0)
  }

  storage(stateRoot: Hash, address: Address, slot: Hash): Hash {
    return readStorage(this.store, stateRoot, address, slot)
  }

  async submit(raw: Uint8Array): Promise<Hash> {
    const transaction = decodeSubmission(raw)
    this.pool.add(transaction, this.#poolContext())
    this.#events.emit('pooled', transaction)
    return transaction.hash
  }

  on<K extends keyof ChainEvents>(event: K, listener: (value: ChainEvents[K]) => void): () => void {
    return this.#events.on(event, listener)
  }

  /** Seconds. */
  #timeOf(slot: number): number {
    const { genesisTime, blockTime } = this.#options
    return genesisTime + slot * blockTime
  }

  #behind(distance: bigint): Block {
    const { number } = this.#latest.header
    return this.#blocks.byNumber(number > distance ? number - distance : 0n)!
  }

  async #mine(wanted: bigint): Promise<L1BlockRef> {
    const parent = this.#latest
    const earliest = parent.header.timestamp + 1n
    const open = await openL1Block(this.#machine, {
      store: this.store,
      parent: { ...parent.header, stateRoot: this.stateRootOf(parent) },
      parentHash: parent.hash,
      timestamp: wanted > earliest ? wanted : earliest,
      prevRandao: bytesToHex(this.#options.rng.bytes(32)),
      baseFeePerGas: this.nextBaseFee(),
      blockHash: this.blockHash,
    })
    await this.#fill(open)
    const block = await open.seal()
    this.#blocks.append(block)
    this.#latest = block
    this.store.retain(block.header.stateRoot)
    this.store.nextGeneration()
    const nonceOf = (sender: Address) => this.#accountNow(sender)?.nonce ?? 0n
    this.pool.included(block.transactions, nonceOf)
    this.pool.refreshWaiting(nonceOf)
    this.#forgetStates()
    this.#events.emit('sealed', block)
    const { number, timestamp } = block.header
    return { number, hash: block.hash, timestamp: Number(timestamp) }
  }

  /** First in, first out, each sender's in order of nonce. */
  async #fill(open: Awaited<ReturnType<typeof openL1Block>>): Promise<void> {
    let waiting = this.pool.transactions()
    for (let before = -1; waiting.length !== before; ) {
      before = waiting.length
      const later: SignedTransaction[] = []
      for (const transaction of waiting) {
        try {
          await open.execute(transaction)
        } catch (error) {
          if (!(error instanceof TransactionInvalid)) throw error
          later.push(transaction)
        }
      }
      waiting = later
    }
  }

  #forgetStates(): void {
    const keepFrom = this.#latest.header.number - BigInt(STATES_REMEMBERED)
    for (; this.#oldestState < keepFrom; this.#oldestState++) {
      const old = this.#blocks.byNumber(this.#oldestState)
      if (old) this.store.release(old.header.stateRoot)
    }
  }

  #takeBack(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) {
      if (isDeposit(transaction) || this.pool.get(transaction.hash)) continue
      try {
        this.pool.add(transaction, this.#poolContext())
      } catch (error) {
        if (!(error instanceof RollbedError)) throw error
      }
    }
  }

  #accountNow(address: Address): Account | undefined {
    return this.account(this.stateRootOf(this.#latest), address)
  }

  #poolContext(): PoolContext {
    return {
      chainId: this.chainId,
      fork: 'isthmus',
      l1: NO_L1_FEES,
      gasLimit: this.#latest.header.gasLimit,
      baseFee: this.nextBaseFee(),
      account: (address) => this.#accountNow(address),
      code: (codeHash) => this.code(codeHash),
    }
  }
}

/** Starts an L1: from what another held, or with the devnet's dev accounts and roles funded. */
export async function startSimulatedL1(
  options: SimulatedL1Options,
  beginning?: L1Beginning,
): Promise<SimulatedL1> {
  // Until it stops.
  const machine = await createL1Machine(BigInt(options.chainId), takeEngine())
  const parts = { beginning: beginning ?? (await newBeginning(options)), machine }
  const l1 = new SimulatedL1(options, parts)
  l1.start()
  return l1
}

async function newBeginning(options: SimulatedL1Options): Promise<L1Beginning> {
  const states = new MemoryStore()
  const keys = [...userKeys, ...Object.values(roleKeys)]
  const { block, stateRoot } = await l1Genesis(states, {
    timestamp: BigInt(options.genesisTime),
    funded: keys.map(({ address }) => address),
  })
  return { blocks: [block], genesisRoot: stateRoot, states }
}

class ReorgTooDeep extends RollbedError {
  constructor(depth: number) {
    super('REORG_TOO_DEEP', `L1 cannot be reorganised ${depth} blocks deep: it has not as many.`)
  }
}

function dropped(hash: Hash): RollbedError {
  return new RollbedError('TRANSACTION_DROPPED', `L1 lost ${hash} in a reorganisation.`)
}
