import type { Logger } from 'pino'
import { RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { Clock } from '#protocol/clock/clock'
import { encodeBatcherData } from '#protocol/derivation/frame'
import { max, min } from '#protocol/types/bigints'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainControl } from '../node/chain-control.ts'
import type { ChainView } from '../node/chain-view.ts'
import { buildChannel, type ChannelFormat } from './build-channel.ts'
import { cutFrames } from './cut-frames.ts'
import type { Inbox, Landing, SignedTransaction } from './inbox.ts'
import { selectBlocks } from './select-blocks.ts'

/** Milliseconds after which a transaction that did not land is offered again. In time, since looks come as L1 has news. */
const PATIENCE = 5_000

/** One channel on its way to L1. */
interface Submission {
  first: bigint
  last: bigint
  transactions: SignedTransaction[]
  /** How many of them L1 has answered for. */
  taken: number
  /** Whether L1 got the next of them and its answer was lost, for all that is known. */
  mayHaveNext: boolean
  /** The L1 block that completed it; 0 before. */
  l1Number: bigint
}

export interface SubmissionsOptions {
  chain: ChainView & Pick<ChainControl, 'markSent'>
  inbox: Inbox
  format: ChannelFormat
  maxFrameData: number
  /** The newest block that a batch may hold: `latest` unless told. */
  newest?: (() => bigint) | undefined
  /** L1 blocks after which what is on L1 and not safe is posted again. */
  repostAfter: number
  clock: Clock
  logger: Logger | undefined
}

/** What was posted, what is on its way, and what is next. Bounded by what L1 has not finalized. */
export class Submissions {
  readonly #options: SubmissionsOptions
  /** On L1, oldest first, until their blocks are finalized. */
  #landed: Submission[] = []
  #inFlight: Submission | undefined
  /**
   * When what is on its way was last offered to L1, in milliseconds; or what was given up before it landed: the
   * next waits behind that, and where L2 gives up a block each second, nobody would ever offer it more.
   */
  #offeredAt: number | undefined
  #sentAt = Number.NEGATIVE_INFINITY
  /** L1's head when everything was last looked after. */
  #seen: Hash | undefined
  #posted: bigint
  #safe: bigint
  /** Where L1 was when `safe` last moved, or when it was last tried to make it move. */
  #waitingSince = 0n
  #reluctance = 1
  /** Grows with every reorg of L2, so that what was begun before it is not carried on. */
  #generation = 0

  constructor(options: SubmissionsOptions) {
    this.#options = options
    this.#safe = options.chain.safe().header.number
    this.#posted = this.#safe
  }

  /** The newest block whose batch is on L1. */
  get posted(): bigint {
    return this.#posted
  }

  /** When the newest channel was first sent, in milliseconds. */
  get sentAt(): number {
    return this.#sentAt
  }

  get inFlight(): boolean {
    return this.#inFlight !== undefined
  }

  /** Looks after what is on its way; sends the next channel when nothing is. */
  async step(): Promise<void> {
    const l1Head = await this.#options.inbox.l1Head()
    // What L1 holds changes with its head alone.
    const isNew = l1Head.hash !== this.#seen
    if (isNew) await this.#checkLanded()
    this.#checkSafe(l1Head.number)
    if (this.#inFlight) await this.#offer(this.#inFlight)
    if (this.#inFlight) await this.#checkInFlight(this.#inFlight, isNew)
    this.#seen = l1Head.hash
    if (!this.#inFlight) await this.#sendNext()
  }

  /** These blocks, newest first, are no longer of the chain: what follows is posted anew. */
  forget(removed: readonly Block[]): void {
    const lowest = removed.at(-1)?.header.number
    if (lowest === undefined) return
    this.#generation += 1
    if (this.#inFlight && lowest <= this.#inFlight.last) this.#inFlight = undefined
    // A batch names the L1 origin of its last block: without that, what is not safe yet of it never will be.
    const split = this.#landed.find(({ first, last }) => first < lowest && lowest <= last)
    const safe = this.#options.chain.safe().header.number
    this.#rewind(split ? max(split.first - 1n, min(safe, lowest - 1n)) : lowest - 1n)
  }

  async #sendNext(): Promise<void> {
    const { chain, inbox, format, maxFrameData, newest, logger } = this.#options
    const generation = this.#generation
    // L1 may have given blocks that nobody posted: after a sequencing window without batches.
    const blocks = selectBlocks(chain, max(this.#posted, chain.safe().header.number), newest?.())
    if (blocks.length === 0) return
    const frames = cutFrames(await buildChannel(blocks, format), maxFrameData)
    if (generation !== this.#generation) return
    const submission: Submission = {
      first: blocks[0]!.header.number,
      last: blocks.at(-1)!.header.number,
      transactions: await inbox.sign(frames.map((frame) => encodeBatcherData([frame]))),
      taken: 0,
      mayHaveNext: false,
      l1Number: 0n,
    }
    if (generation !== this.#generation) return
    // Before it is known whether L1 took it: what is lost on the way may land all the same.
    chain.markSent(submission.last)
    this.#inFlight = submission
    this.#sentAt = this.#options.clock.now()
    this.#offeredAt ??= this.#sentAt
    await this.#offer(submission)
    const { first, last } = submission
    logger?.debug({ first, last, frames: frames.length }, 'channel sent to L1')
  }

  /**
   * In order, from the first that L1 has not answered for. Where its answer was lost the same is offered again, not
   * another with the next nonce: both would land. Refused then, it may be there all the same: `landing` tells.
   */
  async #offer(submission: Submission): Promise<void> {
    const { transactions } = submission
    while (submission.taken < transactions.length && this.#inFlight === submission) {
      try {
        await this.#options.inbox.offer(transactions[submission.taken]!)
      } catch (error) {
        if (!(error instanceof RpcRefused)) {
          submission.mayHaveNext = true
          throw error
        }
        if (!submission.mayHaveNext) {
          if (this.#inFlight === submission) this.#inFlight = undefined
          throw error
        }
      }
      submission.taken += 1
      submission.mayHaveNext = false
    }
  }

  async #checkInFlight(submission: Submission, isNew: boolean): Promise<void> {
    const now = this.#options.clock.now()
    const isLate = now - (this.#offeredAt ?? now) >= PATIENCE
    if (!isNew && !isLate) return
    const landings = await this.#landings(submission)
    if (this.#inFlight !== submission) return
    if (!landings.includes('pending')) this.#offeredAt = undefined
    if (landings.includes('lost')) {
      this.#options.logger?.warn({ first: submission.first }, 'batch lost on L1; posting it again')
      this.#inFlight = undefined
    } else if (landings.includes('pending')) {
      if (isLate) await this.#sendAgain(submission, landings)
    } else {
      this.#inFlight = undefined
      submission.l1Number = lastBlock(landings)
      this.#landed.push(submission)
      this.#posted = submission.last
    }
  }

  /** L1 may drop blocks with our batches in them: then all from there on is posted again. */
  async #checkLanded(): Promise<void> {
    const finalized = this.#options.chain.finalized().header.number
    this.#landed = this.#landed.filter(({ last }) => last > finalized)
    for (const submission of [...this.#landed]) {
      const landings = await this.#landings(submission)
      if (landings.every((landing) => typeof landing === 'object')) {
        submission.l1Number = lastBlock(landings)
        continue
      }
      this.#options.logger?.warn({ first: submission.first }, 'L1 reorg; posting batches again')
      this.#inFlight = undefined
      this.#rewind(submission.first - 1n)
      return
    }
  }

  /**
   * Derivation may drop a batch that L1 has: its channel came too late, or after one that was broken.
   * When `safe` does not move although it could, all after it is posted again; each time that did
   * not help after twice as many L1 blocks, so that in vain it costs a few times the first posting.
   */
  #checkSafe(l1Head: bigint): void {
    const { chain, repostAfter, logger } = this.#options
    const safe = chain.safe().header.number
    if (safe !== this.#safe) this.#reluctance = 1
    this.#closeGap(max(safe, chain.finalized().header.number))
    const stuck = this.#landed.find(({ last }) => last > safe)
    // Where a cheat took the chain off L1, posting again changes nothing.
    if (!stuck || chain.divergence()) return
    if (safe !== this.#safe) {
      this.#safe = safe
      this.#waitingSince = l1Head
    }
    const since = max(this.#waitingSince, stuck.l1Number)
    if (l1Head - since < BigInt(repostAfter * this.#reluctance)) return
    logger?.warn({ safe, l1Head }, 'batches on L1 do not become safe; posting them again')
    this.#reluctance *= 2
    this.#waitingSince = l1Head
    this.#inFlight = undefined
    this.#rewind(safe)
  }

  /** A reorg may have taken `safe` back to before what is known of L1: nobody posts that but we. */
  #closeGap(safe: bigint): void {
    const first = this.#landed.find(({ last }) => last > safe)?.first ?? this.#posted + 1n
    if (first <= safe + 1n) return
    this.#options.logger?.warn({ safe }, 'safe went back; posting batches again')
    this.#inFlight = undefined
    this.#rewind(safe)
  }

  #rewind(to: bigint): void {
    if (to >= this.#posted) return
    this.#posted = to
    this.#landed = this.#landed
      .filter(({ first }) => first <= to)
      .map((submission) => (submission.last > to ? { ...submission, last: to } : submission))
  }

  #landings(submission: Submission) {
    const { inbox } = this.#options
    return Promise.all(submission.transactions.map((sent) => inbox.landing(sent)))
  }

  async #sendAgain(submission: Submission, landings: readonly unknown[]): Promise<void> {
    this.#offeredAt = this.#options.clock.now()
    let before = 0
    for (const [i, sent] of submission.transactions.entries()) {
      if (landings[i] !== 'pending') continue
      submission.transactions[i] = await this.#options.inbox.sendAgain(sent, before)
      before += 1
    }
  }
}

function lastBlock(landings: readonly Landing[]): bigint {
  return landings.reduce((last, landing) => {
    return typeof landing === 'object' ? max(last, landing.l1Number) : last
  }, 0n)
}
