import { Turns } from '#devnet/base/process/turns'
import { type Clock, sleep, type Timer } from '#protocol/clock/clock'
import { timestampMs } from '#protocol/derivation/base-time'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import { nextBlockMs } from '#protocol/upgrades/block-times'
import type { PendingBlock } from '../chain-view.ts'
import { BlockBuilder, type BlockBuilderOptions } from './block-builder.ts'
import { type BlockSchedule, blockSchedule } from './block-schedule.ts'

/** What seals a block: its time (in blocks of so many seconds), its first transaction, or a call. */
export type Sealing = { by: 'time'; blockTime: number } | { by: 'transaction' } | { by: 'hand' }

export interface SequencerOptions extends BlockBuilderOptions {
  clock: Clock
  /** Milliseconds between flashblocks. */
  flashblockTime: number
  /** Only `flashblock()` and `seal()` move the chain. */
  manual: boolean
  /** Runs a step when no other chain on the same executor runs one; default: there is no other. */
  inTurn?: InTurn
  /** How late what is written comes to be written; milliseconds. Default: at once. */
  disk?: { readonly delay: number } | undefined
  /** No flashblocks while the pool is empty: who builds thousands of chains cannot afford them. */
  isQuiet?: boolean
  /**
   * A flashblock comes as soon as a transaction waits, and not with the beat: the chain's time runs ahead
   * to the one that is due next, so that slots, shares and blocks are as ever. Of a quiet chain.
   */
  isPrompt?: boolean
}

/** Runs what it is given after everything that it was given before. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Milliseconds between two tries to write a block that the disk did not take. */
const WRITE_AGAIN = 1_000

/**
 * Builds the chain: flashblocks on the clock, sealed at the block boundary. Steps never overlap; when
 * one takes too long the flashblocks it covered are skipped, and blocks keep their timestamps.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #builder: BlockBuilder
  #sealing: Sealing
  /** Milliseconds that the chain's time is ahead of the clock: cheats move it. */
  #ahead = 0
  #slot = 0
  /** Flashblocks that may still come before they are due. */
  #early = 0
  readonly #turns = new Turns()
  #timer: Timer | undefined
  #isAsleep = false
  #stopped = false

  constructor(options: SequencerOptions) {
    const { manual, config } = options
    this.#options = options
    this.#builder = new BlockBuilder(options)
    this.#sealing = manual ? { by: 'hand' } : { by: 'time', blockTime: config.blockTime }
  }

  /** What seals blocks. */
  get sealing(): Sealing {
    return this.#sealing
  }

  /** Of the block being built, milliseconds; undefined while none is open, or where cheats prescribe its time. */
  get nextTimestampMs(): bigint | undefined {
    const { conditions, timestampMs } = this.#builder
    const isFree =
      conditions.timestampMs === undefined && conditions.timestampInterval === undefined
    return isFree ? timestampMs : undefined
  }

  /**
   * How long it is, with time alone, until a later block is the one being built.
   * @param wanted milliseconds: its time
   * @param atMost so many blocks come before it
   * @returns milliseconds; undefined: no block has that time, or blocks do not come by time alone
   */
  untilBuilding(wanted: bigint, atMost: number): number | undefined {
    const { config } = this.#options
    const open = this.nextTimestampMs
    const isRegular = this.#sealing.by === 'time' && this.#sealing.blockTime === config.blockTime
    if (!isRegular || open === undefined) return undefined
    let [before, at] = [open, open]
    for (let blocks = 0; at < wanted && blocks < atMost; blocks++) {
      before = at
      at = nextBlockMs(config, at)
    }
    if (at !== wanted || at === open) return undefined
    return this.#schedule().boundary + Number(before - open) - this.#now()
  }

  /** Opens the first block, so that a pending block exists from here on. */
  async start(): Promise<void> {
    await this.step(async (builder) => {
      await builder.current()
    })
    // A chain that goes on may have been ahead of the clock when it was left, as cheats can move it.
    const goesOn = this.#options.chain.latest().header.number > 0n
    if (goesOn && this.#schedule().start > this.#now()) this.align()
    this.#arm()
  }

  /** Executes what the pool holds, up to the next share of the block, and publishes it. */
  flashblock(): Promise<PendingBlock> {
    return this.step(() => this.#flashblock(this.#slot + 1))
  }

  /** Seals what is pre-confirmed and opens the next block. Executes nothing of the pool. */
  seal(): Promise<Block> {
    return this.step(() => this.#seal())
  }

  /** Runs one step after all earlier ones; a failed one does not stop the next. */
  step<T>(action: (builder: BlockBuilder) => Promise<T>): Promise<T> {
    const run = async () => {
      if (this.#builder.hasLostOrigin()) await this.#leaveLostOrigin()
      return action(this.#builder)
    }
    const { inTurn } = this.#options
    return this.#turns.take(() => (inTurn ? inTurn(run) : run()))
  }

  /** L1 says what comes after `parent`: see BlockBuilder.adopt. */
  adopt(parent: Block, attributes: PayloadAttributes): Promise<Block | undefined> {
    return this.step(async (builder) => {
      const block = await builder.adopt(parent, attributes)
      this.#slot = 0
      // L1's time, and so that of the block, may be ahead of the clock: then L2's time is, too.
      if (this.#schedule().start > this.#now()) this.align()
      return block
    })
  }

  /** Within a step: everything that fits from the pool, and then the seal. The chain's time follows. */
  async mine(): Promise<Block> {
    // Thousands of empty blocks in a row need no snapshot each before they are sealed.
    if (this.#options.building.pool.size > 0) await this.#flashblock(Infinity)
    const block = await this.#seal()
    this.align()
    return block
  }

  /** Within a step: the block being built begins now, whatever its timestamp. */
  align(): void {
    const { clock } = this.#options
    this.#slot = 0
    this.#ahead = this.#schedule().start - clock.now()
    this.#arm()
  }

  /**
   * Within a step: `work` takes the newest blocks away, and the chain's time goes on as if it had not, so
   * that those which are overdue then follow at once. Where it lost another time than `lost`, because
   * a cheat had moved the clock in these blocks, the block being built begins now.
   * @param lost milliseconds by which the block being built is earlier afterwards
   */
  async replace<T>(lost: bigint, work: () => Promise<T>): Promise<T> {
    const ahead = this.#ahead
    const { timestampMs: before } = this.#builder
    const result = await work()
    this.align()
    if (this.#builder.timestampMs === (before ?? 0n) - lost) {
      this.#ahead = ahead
      this.#arm()
    }
    return result
  }

  /** Within a step. Flashblocks go on whatever seals, unless the chain is moved by hand only. */
  setSealing(sealing: Sealing): void {
    this.#sealing = sealing
    this.align()
  }

  /** Something came into the pool: a quiet chain builds a flashblock for it. */
  notice(): void {
    // Enough that one for which the block has no room any more finds it in the next.
    this.#early = this.#schedule().flashblocks + 1
    if (this.#options.isQuiet) this.#arm()
  }

  /** The chain's time stands still until it wakes. */
  sleep(): void {
    this.#isAsleep = true
    this.#timer?.cancel()
  }

  /** The block being built begins now. */
  async wake(): Promise<void> {
    if (!this.#isAsleep) return
    this.#isAsleep = false
    await this.step(async () => this.align())
  }

  /** Resolves when the step that is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#turns.idle()
  }

  #arm(atLeast = 0): void {
    this.#timer?.cancel()
    const { clock, manual, flashblockTime } = this.#options
    const { by } = this.#sealing
    if (this.#stopped || this.#isAsleep || (manual && by !== 'time')) return
    const isIdle = this.#isIdle()
    if (isIdle && by !== 'time') return
    const now = this.#now()
    const schedule = this.#schedule()
    const next = isIdle ? schedule.boundary : schedule.nextTick(now)
    const due = by === 'time' ? next - now : flashblockTime
    const delay = this.#isEarly() ? 0 : due
    this.#timer = clock.after(Math.max(atLeast, delay), () => {
      this.step(() => this.#tick()).then(
        () => this.#arm(),
        (error) => this.#recover(error),
      )
    })
  }

  /**
   * A step failed: tried again one flashblock later, and not at once even when blocks are overdue. That
   * a block waits for the disk the chain tells, once.
   */
  #recover(error: unknown): void {
    const { logger, flashblockTime } = this.#options
    const waits = Object(error).code === 'HISTORY_NOT_WRITTEN'
    if (!waits) logger?.error(error, 'flashblock failed')
    this.#arm(waits ? WRITE_AGAIN : flashblockTime)
  }

  async #tick(): Promise<void> {
    const { clock, flashblockTime } = this.#options
    const isTimed = this.#sealing.by === 'time'
    if (this.#isEarly()) {
      this.#early -= 1
      const before = this.#now()
      if (isTimed) this.#ahead += Math.max(0, this.#schedule().nextTick(before) - before)
    }
    const now = this.#now()
    await this.#builder.current()
    const schedule = this.#schedule()
    if (!this.#isIdle()) {
      const { transactions, firstNewTransaction } = await this.#flashblock(
        isTimed ? schedule.slotAt(now) : schedule.flashblocks,
        clock.now() + flashblockTime,
      )
      // What took something may take more: the rest of many waits for no beat, either.
      if (transactions.length > firstNewTransaction) this.#early = schedule.flashblocks + 1
    }
    if (!isTimed || now < schedule.boundary) return
    await this.#seal()
    // Blocks may carry times further apart or closer than they are built.
    if (this.#schedule().start !== schedule.boundary) this.align()
  }

  #isEarly(): boolean {
    return this.#options.isPrompt === true && this.#early > 0 && this.#builder.hasCandidate()
  }

  #isIdle(): boolean {
    const { isQuiet, building } = this.#options
    return isQuiet === true && building.pool.size === 0
  }

  #flashblock(slot: number, deadline = Infinity): Promise<PendingBlock> {
    const { clock } = this.#options
    const { flashblocks } = this.#schedule()
    this.#slot = Math.min(slot, flashblocks)
    return this.#builder.flashblock(this.#slot, flashblocks, () => clock.now() >= deadline)
  }

  async #seal(): Promise<Block> {
    const { disk, clock } = this.#options
    if (disk && disk.delay > 0) await sleep(clock, disk.delay)
    this.#slot = 0
    return await this.#builder.seal()
  }

  async #leaveLostOrigin(): Promise<void> {
    const isCheated = this.#options.chain.divergence() !== undefined
    await this.#builder.leaveLostOrigin()
    this.#slot = 0
    // The blocks that are gone may have been days ahead of the clock: nothing catches up with them.
    if (isCheated) this.align()
  }

  #now(): number {
    return this.#options.clock.now() + this.#ahead
  }

  #schedule(): BlockSchedule {
    const { config, chain, flashblockTime } = this.#options
    const parentMs = timestampMs(chain.latest())
    const next = nextBlockMs(config, parentMs)
    const { by } = this.#sealing
    const asked = by === 'time' ? this.#sealing.blockTime : config.blockTime
    const interval = asked === config.blockTime ? Number(next - parentMs) : asked * 1000
    return blockSchedule(this.#builder.timestampMs ?? next, interval, flashblockTime)
  }
}
