import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Slices } from '#devnet/base/process/slices'
import { timestampMs } from '#protocol/derivation/base-time'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Block } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import { type BlockTimes, nextBlockMs } from '#protocol/upgrades/block-times'
import type { Chain } from '../chain/chain.ts'
import type { PendingBlock } from '../chain-view.ts'
import type { Pool } from '../mempool/pool.ts'
import { type BlockConditions, lastingConditions } from '../open-block/block-conditions.ts'
import type { StateEdit } from '../open-block/state-edit.ts'
import type { ReadStateDump } from '../state/read-state-dump.ts'
import type { RetainingStore } from '../state/retaining-store.ts'
import type { BlockBuilder } from './block-builder.ts'
import { repool } from './repool.ts'
import type { Sealing, Sequencer } from './sequencer.ts'

/** Older ones are forgotten. */
const MAX_SNAPSHOTS = 1_000

interface Snapshot {
  block: Block
  /** What reads at the block saw. */
  stateRoot: Hash
  /** Of the pool until then. */
  arrivals: number
}

export interface ChainCheatsOptions {
  sequencer: Sequencer
  chain: Chain
  /** Of the chain's states. */
  store: RetainingStore
  pool: Pool
  /** What the times of blocks follow from. */
  times: Pick<BlockTimes, 'blockTime' | 'upgrades'>
  logger?: Logger | undefined
}

/**
 * What tests do to a chain that users cannot. Every cheat is a step of the sequencer, so none runs in
 * the middle of a flashblock.
 *
 * - Pre-confirmed transactions keep their outcome whatever cheat comes; only `rollback`, `reorg` and
 *   `revert` drop them.
 * - A change of the state is seen at `latest` and at `pending` at once, and is in the next block.
 * - A change of block conditions (time, base fee …) and a snapshot need an empty block to begin with:
 *   if the one being built holds users' transactions it is sealed first.
 * - The first block that L1 data alone do not give is marked as the chain's divergence.
 */
export class ChainCheats {
  readonly chain: Chain
  readonly pool: Pool
  readonly #sequencer: Sequencer
  readonly #store: RetainingStore
  readonly #times: ChainCheatsOptions['times']
  readonly #logger: Logger | undefined
  readonly #snapshots = new Map<number, Snapshot>()
  #nextSnapshot = 0
  #secondsAdded = 0n
  #stopAutomine = () => {}

  constructor(options: ChainCheatsOptions) {
    this.chain = options.chain
    this.pool = options.pool
    this.#sequencer = options.sequencer
    this.#store = options.store
    this.#times = options.times
    this.#logger = options.logger
  }

  edit(edit: StateEdit): Promise<void> {
    return this.#sequencer.step((builder) => builder.edit(edit))
  }

  /** The pool is told too, so that waiting transactions find the sender's new nonce. */
  setNonce(address: Address, nonce: bigint): Promise<void> {
    return this.#sequencer.step(async (builder) => {
      await builder.edit((state) => state.setNonce(address, nonce))
      this.pool.setNextNonce(address, nonce)
    })
  }

  setConditions(change: BlockConditions): Promise<void> {
    return this.#sequencer.step((builder) => this.#change(builder, change))
  }

  /** @throws RollbedError TIMESTAMP_TOO_LOW */
  setNextTimestamp(timestamp: bigint): Promise<void> {
    return this.#sequencer.step((builder) => this.#setTime(builder, timestamp * 1000n))
  }

  /** The next block comes this much later. Returns the seconds added so far. */
  increaseTime(seconds: bigint): Promise<bigint> {
    return this.#sequencer.step(async (builder) => {
      await this.#makeRoom(builder)
      await this.#setTime(builder, builder.timestampMs! + seconds * 1000n)
      this.#secondsAdded += seconds
      return this.#secondsAdded
    })
  }

  /** Time that passed as it would have anyway counts with what was added: the seconds so far. */
  addSeconds(seconds: bigint): bigint {
    this.#secondsAdded += seconds
    return this.#secondsAdded
  }

  /** Of the block being built, milliseconds; undefined while none is open, or while cheats prescribe times. */
  nextTimestampMs(): bigint | undefined {
    return this.#sequencer.nextTimestampMs
  }

  /** Whether the block being built has this time, in milliseconds. */
  isBuilding(timestampMs: bigint): boolean {
    return this.nextTimestampMs() === timestampMs
  }

  /** @see Sequencer.untilBuilding */
  untilBuilding(timestampMs: bigint, atMost: number): number | undefined {
    return this.#sequencer.untilBuilding(timestampMs, atMost)
  }

  /** Returns whether there was one. */
  removeTimestampInterval(): Promise<boolean> {
    return this.#sequencer.step(async (builder) => {
      if (builder.conditions.timestampInterval === undefined) return false
      await this.#change(builder, { timestampInterval: undefined })
      return true
    })
  }

  /**
   * Makes blocks at once, of whatever the pool holds; the chain's time moves on with them.
   * @param interval seconds between them, in place of the block time
   * @param timestamp of the first, seconds
   */
  mine(options: {
    blocks: number
    interval?: bigint
    timestamp?: bigint | undefined
    signal?: AbortSignal
  }): Promise<Block | undefined> {
    const { blocks, interval = 0n, timestamp, signal } = options
    return this.#sequencer.step(async (builder) => {
      builder.ignoresDrift = true
      const { timestampInterval } = builder.conditions
      if (timestamp !== undefined) await this.#setTime(builder, timestamp * 1000n)
      if (interval > 0n) await this.#change(builder, { timestampInterval: interval })
      let last: Block | undefined
      try {
        for (let mined = 0; mined < blocks && !signal?.aborted; mined++) {
          last = await this.#sequencer.mine()
          // Lets requests be answered between two blocks.
          await setImmediate()
        }
      } finally {
        if (interval > 0n) await this.#change(builder, { timestampInterval })
      }
      return last
    })
  }

  get sealing(): Sealing {
    return this.#sequencer.sealing
  }

  setSealing(sealing: Sealing): Promise<void> {
    return this.#sequencer.step(async (builder) => {
      this.#stopAutomine()
      this.#stopAutomine = () => {}
      if (sealing.by === 'time') await this.#setBlockTime(builder, sealing.blockTime)
      this.#sequencer.setSealing(sealing)
      if (sealing.by !== 'transaction') return
      this.#stopAutomine = this.chain.on('pooled', () => {
        this.#sequencer
          .step((later) => this.#automine(later))
          .catch((error: unknown) => this.#logger?.error(error, 'transaction not mined'))
      })
      await this.#automine(builder)
    })
  }

  /**
   * Takes the newest blocks out of the chain, and what is pre-confirmed.
   * @param repool put their users' transactions back into the pool
   * @throws RollbedError ROLLBACK_TOO_DEEP, STATE_PRUNED, L1_ORIGIN_MISSING
   */
  rollback(depth: number, { repool: takeBack = false } = {}): Promise<Block[]> {
    return this.#sequencer.step(async (builder) => {
      const target = this.#ancestor(depth, 'Rollback')
      const pending = this.chain.pending()
      builder.conditions = lastingConditions(builder.conditions)
      const rollback = () => builder.rollback(target, this.chain.stateRootOf(target))
      if (takeBack) {
        // The chain goes on with the same transactions, as after a reorganization.
        const lost = this.#regularTime(target, depth)
        const removed = await this.#sequencer.replace(lost, rollback)
        await repool(this.chain, removed, pending)
        return removed
      }
      const removed = await rollback()
      this.#sequencer.align()
      const message = 'The chain went back to before it.'
      this.chain.tellLost([...removed, pending], new RollbedError('TRANSACTION_DROPPED', message))
      return removed
    })
  }

  /**
   * Replaces the newest blocks by as many others.
   * @param transactions what the new blocks hold, by position
   * @throws RollbedError ROLLBACK_TOO_DEEP, STATE_PRUNED, L1_ORIGIN_MISSING
   */
  reorg(depth: number, transactions: ReadonlyMap<number, SignedTransaction[]>): Promise<void> {
    return this.#sequencer.step(async (builder) => {
      const target = this.#ancestor(depth, 'Reorg')
      const { number } = target.header
      // Without a difference an empty block would come back under its old hash.
      const prevRandao = this.chain.blockByNumber(number + 1n)?.hash
      builder.conditions = { ...lastingConditions(builder.conditions), prevRandao }
      const gone: (Block | PendingBlock | undefined)[] = [this.chain.pending()]
      await this.#sequencer.replace(0n, async () => {
        gone.push(...(await builder.rollback(target, this.chain.stateRootOf(target))))
        for (let position = 0; position < depth; position++) {
          for (const each of transactions.get(position) ?? []) await this.chain.takeBack(each)
          await this.#sequencer.mine()
        }
      })
      const message = 'Other blocks took the place of the one with it.'
      this.chain.tellLost(gone, new RollbedError('TRANSACTION_DROPPED', message))
    })
  }

  snapshot(): Promise<number> {
    return this.#sequencer.step(async (builder) => {
      await this.#makeRoom(builder)
      const block = this.chain.latest()
      const stateRoot = this.chain.stateRootOf(block)
      const id = this.#nextSnapshot++
      this.#snapshots.set(id, { block, stateRoot, arrivals: this.pool.arrivals })
      this.#snapshots.delete(id - MAX_SNAPSHOTS)
      return id
    })
  }

  /**
   * Goes back to a snapshot, and forgets it and all later ones. Returns whether it was there.
   * @throws RollbedError STATE_PRUNED
   */
  revert(id: number): Promise<boolean> {
    return this.#sequencer.step(async (builder) => {
      const snapshot = this.#snapshots.get(id)
      for (const later of this.#snapshots.keys()) if (later >= id) this.#snapshots.delete(later)
      if (!snapshot || !this.chain.blockByHash(snapshot.block.hash)) return false
      this.#requireState(snapshot.block)
      builder.conditions = lastingConditions(builder.conditions)
      const pending = this.chain.pending()
      const removed = await builder.revert(snapshot.block, snapshot.stateRoot)
      const message = 'The chain went back to a snapshot from before it.'
      const reason = new RollbedError('TRANSACTION_DROPPED', message)
      this.pool.discardSince(snapshot.arrivals, reason)
      this.chain.tellLost([...removed, pending], reason)
      this.#sequencer.align()
      return true
    })
  }

  /**
   * Another state takes the place of that at `latest`; what is pre-confirmed is sealed before. Its values are
   * taken in between flashblocks, and nothing is seen of it before all are there.
   * @param slices of this thread's time
   * @throws RollbedError STATE_OF_OTHER_CHAIN
   */
  async loadState({ chainId, stateRoot, pieces }: ReadStateDump, slices: Slices): Promise<void> {
    if (chainId !== this.chain.chainId) {
      const message = `The state is of chain ${chainId}, and this is chain ${this.chain.chainId}.`
      throw new RollbedError('STATE_OF_OTHER_CHAIN', message, {
        hint: 'Start the devnet with that --chain-id.',
      })
    }
    const admitted: Hash[] = []
    try {
      for await (const values of pieces()) {
        this.#store.admit(values)
        for (const { hash } of values) admitted.push(hash)
      }
      await this.#sequencer.step(async (builder) => {
        await this.#makeRoom(builder)
        await builder.rollback(this.chain.latest(), stateRoot)
        this.#sequencer.align()
      })
    } finally {
      // The chain has it now; or nobody has.
      for (const hash of admitted) {
        this.#store.release(hash)
        if (slices.isOver) await slices.next()
      }
    }
  }

  /** Blocks of the snapshots that can be gone back to. */
  snapshots(): ReadonlyMap<number, Pick<Snapshot, 'block'>> {
    return this.#snapshots
  }

  /** @see Sequencer.flashblock */
  flashblock() {
    return this.#sequencer.flashblock()
  }

  /** @see Sequencer.seal */
  seal() {
    return this.#sequencer.seal()
  }

  async #change(builder: BlockBuilder, change: BlockConditions): Promise<void> {
    await this.#makeRoom(builder)
    builder.conditions = { ...builder.conditions, ...change }
    await builder.reopen()
    this.#sequencer.align()
  }

  async #setTime(builder: BlockBuilder, wantedMs: bigint): Promise<void> {
    await this.#makeRoom(builder)
    if (wantedMs <= timestampMs(this.chain.latest())) {
      const message = `Timestamp error: ${wantedMs / 1000n} is lower than or equal to previous block's timestamp`
      throw new RollbedError('TIMESTAMP_TOO_LOW', message)
    }
    builder.ignoresDrift = true
    await this.#change(builder, { timestampMs: wantedMs })
  }

  async #setBlockTime(builder: BlockBuilder, blockTime: number): Promise<void> {
    const timestampInterval = blockTime === this.#times.blockTime ? undefined : BigInt(blockTime)
    if (timestampInterval === builder.conditions.timestampInterval) return
    await this.#change(builder, { timestampInterval })
  }

  /** Afterwards the block being built holds nothing but deposits. */
  async #makeRoom(builder: BlockBuilder): Promise<void> {
    if ((await builder.current()).holdsUserTransactions()) await builder.seal()
  }

  async #automine(builder: BlockBuilder): Promise<void> {
    if (this.sealing.by !== 'transaction') return
    await builder.flashblock(1, 1, () => false)
    await this.#makeRoom(builder)
    this.#sequencer.align()
  }

  #ancestor(depth: number, what: string): Block {
    const { number } = this.chain.latest().header
    const target = this.chain.blockByNumber(number - BigInt(depth))
    if (!target) {
      const message = `${what} depth must not exceed current chain height: current height ${number}, depth ${depth}`
      throw new RollbedError('ROLLBACK_TOO_DEEP', message)
    }
    this.#requireState(target)
    return target
  }

  /** Milliseconds that so many blocks after this one take. */
  #regularTime(target: Block, depth: number): bigint {
    const start = timestampMs(target)
    let end = start
    for (let count = 0; count < depth; count++) end = nextBlockMs(this.#times, end)
    return end - start
  }

  #requireState({ header }: Block): void {
    if (!this.chain.isStatePruned(header.number)) return
    const message = `There is no way back to block ${header.number}: its state is no longer kept.`
    throw new RollbedError('STATE_PRUNED', message, {
      hint: 'Keep more with --history-blocks and --history-memory.',
    })
  }
}
