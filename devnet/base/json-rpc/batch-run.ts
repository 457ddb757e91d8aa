import type { FairTurns } from './fair-turns.ts'
import type { HeldFor } from './held-bytes.ts'

/** The text of one response object; undefined after a notification. */
export type Reply = string | undefined

export interface BatchOptions {
  /** Answers one member. */
  answer(call: unknown): Reply | Promise<Reply>
  /** What a member is answered that was never begun. */
  tooLate(call: unknown): Reply
  turns: FairTurns
  /** Whether the batch has used up its time. */
  isLate(): boolean
  /** Aborts when the caller is gone. */
  signal: AbortSignal
  /** Characters of all answers. */
  maxLength: number
  unsent?: HeldFor | undefined
}

/** Members that may be under way at once: one caller's batch leaves room for others' calls. */
const WIDTH = 16

/**
 * The members of one batch, begun in their order and as fast as the turns of this caller allow. It ends
 * early when the caller leaves, when the answers get too long and when it has used up its time.
 */
export class BatchRun {
  readonly #calls: readonly unknown[]
  readonly #options: BatchOptions
  readonly #replies: Reply[]
  readonly #underWay = new Set<Promise<void>>()
  #begun = 0
  #length = 0

  constructor(calls: readonly unknown[], options: BatchOptions) {
    this.#calls = calls
    this.#options = options
    this.#replies = calls.map(() => undefined)
  }

  /** Characters of the answers so far. */
  get length(): number {
    return this.#length
  }

  /** Goes on until there is something to wait for; undefined: it is done. */
  go(): Promise<unknown> | undefined {
    const { turns } = this.#options
    while (this.#begun < this.#calls.length && !this.#isOver()) {
      if (!turns.hasTime) return turns.next()
      if (this.#underWay.size >= WIDTH) return Promise.race(this.#underWay)
      this.#begin(this.#begun++)
    }
    return this.#underWay.size > 0 ? Promise.race(this.#underWay) : undefined
  }

  /** The answers, when it is done. */
  end(): Reply[] {
    const { unsent, tooLate } = this.#options
    unsent?.add(-this.#length)
    const late = this.#calls.slice(this.#begun).map(tooLate)
    return [...this.#replies.slice(0, this.#begun), ...late]
  }

  #isOver(): boolean {
    const { signal, isLate, maxLength } = this.#options
    return signal.aborted || this.#length > maxLength || isLate()
  }

  #begin(index: number): void {
    const { answer, turns } = this.#options
    const reply = turns.run(() => answer(this.#calls[index]))
    if (!(reply instanceof Promise)) {
      this.#keep(index, reply)
      return
    }
    const kept = reply.then((text) => {
      this.#underWay.delete(kept)
      this.#keep(index, text)
    })
    this.#underWay.add(kept)
  }

  #keep(index: number, reply: Reply): void {
    this.#replies[index] = reply
    this.#length += reply?.length ?? 0
    this.#options.unsent?.add(reply?.length ?? 0)
  }
}
