import type { Logger } from 'pino'
import type { Clock, Timer } from '../../../enclave-sim/clock/clock.ts'
import type { RollupConfig } from '../../../enclave-sim/derivation/rollup-config.ts'
import type { Block } from '../../../enclave-sim/execution/types.ts'
import type { ChainControl } from '../chain/chain.ts'
import type { PendingBlock } from '../chain-view.ts'
import { type BlockSchedule, blockSchedule } from './block-schedule.ts'
import { flashblockShare } from './flashblock-share.ts'
import type { L1View } from './l1-view.ts'
import { Payload, type PayloadContext } from './payload.ts'
import { type ChainPosition, planBlock } from './plan-block.ts'

export interface SequencerOptions {
  config: RollupConfig
  chain: ChainControl & { latest(): Block; blockByNumber(number: bigint): Block | undefined }
  payloads: Omit<PayloadContext, 'blockHash'>
  l1: L1View
  /** Where the chain stands with its newest block. */
  position: ChainPosition
  clock: Clock
  /** Milliseconds between flashblocks. */
  flashblockTime: number
  /** Only `flashblock()` and `seal()` move the chain. */
  manual: boolean
  /** false: nothing is published but sealed blocks. */
  preconfirmations: boolean
  /** L1 blocks on top of an origin. */
  confDepth: bigint
  logger?: Logger | undefined
}

/**
 * Builds the chain: flashblocks on the clock, sealed at the block boundary. Steps never overlap; when
 * one takes too long the flashblocks it covered are skipped, and blocks keep their timestamps.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #context: PayloadContext
  #position: ChainPosition
  #payload: Payload | undefined
  #slot = 0
  #queue: Promise<unknown> = Promise.resolve()
  #timer: Timer | undefined
  #stopped = false

  constructor(options: SequencerOptions) {
    const { chain, payloads } = options
    this.#options = options
    this.#position = options.position
    this.#context = {
      ...payloads,
      blockHash: async (number) => chain.blockByNumber(number)?.hash,
    }
  }

  /** Opens the first block, so that a pending block exists from here on. */
  async start(): Promise<void> {
    await this.#serially(() => this.#current())
    this.#arm()
  }

  /** Executes what the pool holds, up to the next share of the block, and publishes it. */
  flashblock(): Promise<PendingBlock> {
    return this.#serially(async () =>
      this.#flashblock(await this.#current(), this.#slot + 1, Infinity),
    )
  }

  /** Seals what is pre-confirmed and opens the next block. Executes nothing of the pool. */
  seal(): Promise<Block> {
    return this.#serially(async () => this.#seal(await this.#current()))
  }

  /** Resolves when the step that is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#queue
  }

  /** Runs steps one after another; a failed one does not stop the next. */
  #serially<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(step)
    this.#queue = done.catch(() => {})
    return done
  }

  #arm(atLeast = 0): void {
    const { clock, manual } = this.#options
    if (manual || this.#stopped) return
    const delay = this.#schedule().nextTick(clock.now()) - clock.now()
    this.#timer = clock.after(Math.max(atLeast, delay), () => {
      this.#serially(() => this.#tick()).then(
        () => this.#arm(),
        (error) => this.#recover(error),
      )
    })
  }

  /** A step failed: tried again one flashblock later, and not at once even when blocks are overdue. */
  #recover(error: unknown): void {
    const { logger, flashblockTime } = this.#options
    logger?.error(error, 'flashblock failed')
    this.#arm(flashblockTime)
  }

  async #tick(): Promise<void> {
    const { clock, flashblockTime } = this.#options
    const now = clock.now()
    const schedule = this.#schedule()
    const payload = await this.#current()
    await this.#flashblock(payload, schedule.slotAt(now), now + flashblockTime)
    if (now >= schedule.boundary) await this.#seal(payload)
  }

  async #flashblock(payload: Payload, slot: number, deadline: number): Promise<PendingBlock> {
    const { clock, chain, preconfirmations } = this.#options
    const { gasLimit } = payload.plan.attributes
    const share = flashblockShare(gasLimit, slot, this.#schedule().flashblocks)
    this.#slot = slot
    await payload.fill({
      gas: share,
      // OP spec, Jovian: the footprint's limit is the gas limit.
      daFootprint: share,
      isOver: () => clock.now() >= deadline,
    })
    const pending = await payload.snapshot()
    if (preconfirmations) chain.publishFlashblock(pending)
    return pending
  }

  async #seal(payload: Payload): Promise<Block> {
    const { chain, logger, preconfirmations } = this.#options
    const block = await payload.seal()
    this.#position = payload.plan.position
    this.#payload = undefined
    const next = await this.#open(block).catch((error: unknown): undefined => {
      logger?.error(error, 'next block not opened')
    })
    chain.publishSealed(block, preconfirmations ? next : undefined)
    return block
  }

  /** The payload being built; opened now if that failed before. */
  async #current(): Promise<Payload> {
    const { chain, preconfirmations } = this.#options
    if (!this.#payload) {
      const pending = await this.#open(chain.latest())
      if (preconfirmations) chain.publishFlashblock(pending)
    }
    return this.#payload!
  }

  /** Opens the block after `parent`. Returns its flashblock 0: the deposits. */
  async #open(parent: Block): Promise<PendingBlock> {
    const { config, l1, confDepth } = this.#options
    const plan = await planBlock(config, l1, confDepth, parent, this.#position)
    const payload = await Payload.open(this.#context, plan)
    const pending = await payload.snapshot()
    this.#payload = payload
    this.#slot = 0
    l1.forget(plan.position.origin.number)
    return pending
  }

  #schedule(): BlockSchedule {
    const { config, chain, flashblockTime } = this.#options
    const timestamp = chain.latest().header.timestamp + BigInt(config.blockTime)
    return blockSchedule(timestamp, config.blockTime, flashblockTime)
  }
}
