import type { Logger } from 'pino'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import {
  LOOK_DESPITE_NEWS,
  type OnNews,
  type PacedWork,
  pacedWork,
} from '#devnet/base/process/paced-work'
import { Turns } from '#devnet/base/process/turns'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import type { L1Block, L1View } from './l1-view.ts'

/** Milliseconds between two looks at L1. */
const POLL_INTERVAL = 200
/** L1 blocks kept ahead of the chain's origin. */
const MAX_AHEAD = 64
/** Forgotten L1 blocks that a snapshot may lead back to without asking for each anew. */
const MAX_FORGOTTEN = 512

/** The L1 block with this number; undefined while there is none. */
export type FetchL1Block = (number: bigint, signal: AbortSignal) => Promise<L1Block | undefined>

interface L1Origin {
  number: bigint
  hash: Hash
}

export interface L1PrefetchOptions {
  fetchBlock: FetchL1Block
  clock: Clock
  /** The first block needed: the chain's L1 origin. */
  origin: L1Origin
  /** Tells of new L1 blocks. */
  news?: OnNews | undefined
  logger?: Logger | undefined
}

/** Follows L1, so that the sequencer finds the blocks it needs in memory. */
export class L1Prefetch implements L1View, OwnedResource {
  readonly #options: L1PrefetchOptions
  readonly #blocks = new Map<bigint, L1Block>()
  /** The newest below `#lowest`, without a gap. */
  readonly #forgotten = new Map<bigint, L1Block>()
  readonly #abort = new AbortController()
  #lowest: bigint
  #head: bigint
  #polling: PacedWork | undefined
  /** What looks at L1, one after the other. */
  readonly #turns = new Turns()

  constructor(options: L1PrefetchOptions) {
    this.#options = options
    this.#lowest = options.origin.number
    this.#head = options.origin.number
  }

  /** Resolves when the origin and what follows it so far is known. @throws L1_ORIGIN_MISSING */
  async start(): Promise<void> {
    const { clock, logger, news, origin } = this.#options
    await this.recall(origin)
    this.#polling = pacedWork({
      work: () => this.#poll(),
      delay: () => (news ? LOOK_DESPITE_NEWS : POLL_INTERVAL),
      news,
      clock,
      abort: this.#abort,
      complaint: 'L1 cannot be read; the L2 chain keeps its origin',
      logger,
    })
  }

  head(): bigint {
    return this.#head
  }

  block(number: bigint): L1Block | undefined {
    return this.#blocks.get(number)
  }

  async recall(origin: L1Origin): Promise<void> {
    // A look at an L1 that hangs is not waited for.
    if (!this.#has(origin)) await this.#turns.take(() => this.#recall(origin))
  }

  remember({ number, hash }: L1Origin): void {
    if (this.#forgotten.get(number)?.header.hash !== hash) return
    while (this.#lowest > number) {
      this.#lowest--
      this.#blocks.set(this.#lowest, this.#forgotten.get(this.#lowest)!)
      this.#forgotten.delete(this.#lowest)
    }
  }

  forget(below: bigint): void {
    for (; this.#lowest < below && this.#lowest < this.#head; this.#lowest++) {
      this.#forgotten.set(this.#lowest, this.#blocks.get(this.#lowest)!)
      this.#forgotten.delete(this.#lowest - BigInt(MAX_FORGOTTEN))
      this.#blocks.delete(this.#lowest)
    }
  }

  async stop(): Promise<void> {
    const reason = new Error('stopped')
    this.#abort.abort(reason)
    await this.#polling?.stop(reason)
    await this.#turns.idle()
  }

  #has({ number, hash }: L1Origin): boolean {
    return this.#blocks.get(number)?.header.hash === hash
  }

  async #recall({ number, hash }: L1Origin): Promise<void> {
    if (this.#has({ number, hash })) return
    const origin = await this.#options.fetchBlock(number, this.#abort.signal)
    if (origin?.header.hash !== hash) throw originMissing(number, hash)
    this.#blocks.clear()
    this.#forgotten.clear()
    this.#blocks.set(number, origin)
    this.#lowest = number
    this.#head = number
    // The origin is there. What cannot be read behind it in time, or at all, the next look finds: an L1 that
    // grows as fast as it is read must not keep the chain waiting.
    const { clock } = this.#options
    const until = clock.now() + POLL_INTERVAL
    const follow = async () => {
      while ((await this.#advance()) && clock.now() < until);
    }
    await follow().catch(() => {})
  }

  /** Block by block: who recalls an origin comes in between. */
  async #poll(): Promise<void> {
    while (await this.#turns.take(() => this.#advance()));
  }

  async #advance(): Promise<boolean> {
    if (this.#head - this.#lowest >= MAX_AHEAD) return false
    const next = await this.#options.fetchBlock(this.#head + 1n, this.#abort.signal)
    if (!next) return false
    if (next.header.parentHash !== this.#blocks.get(this.#head)?.header.hash) {
      await this.#rewind()
      return false
    }
    this.#head = next.header.number
    this.#blocks.set(this.#head, next)
    return true
  }

  /**
   * L1 was reorganised: everything but the chain's own origin is fetched again. When that is gone too,
   * what took its place is known from here on, and the chain sees that its origin was dropped.
   */
  async #rewind(): Promise<void> {
    const { logger, fetchBlock } = this.#options
    this.#forgotten.clear()
    for (; this.#head > this.#lowest; this.#head--) this.#blocks.delete(this.#head)
    const now = await fetchBlock(this.#lowest, this.#abort.signal)
    if (!now || now.header.hash === this.#blocks.get(this.#lowest)?.header.hash) return
    logger?.warn({ number: this.#lowest, hash: now.header.hash }, 'L1 dropped our L1 origin')
    this.#blocks.set(this.#lowest, now)
  }
}

/** @throws L1_ORIGIN_MISSING when L1 does not have the block that the chain begins on */
export async function startL1Prefetch(options: L1PrefetchOptions): Promise<L1Prefetch> {
  const prefetch = new L1Prefetch(options)
  await prefetch.start()
  return prefetch
}

function originMissing(number: bigint, hash: Hash): RollbedError {
  return new RollbedError('L1_ORIGIN_MISSING', `L1 has no block ${number} with hash ${hash}.`, {
    hint: 'Was the L2 chain made for another L1 chain, or did L1 drop the block?',
  })
}
