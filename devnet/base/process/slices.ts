import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#protocol/clock/clock'

/** Milliseconds of work at a stretch: a small part of a flashblock. */
const SLICE = 5

/** The last of those who wait: of all work that is cut, one piece is done between two turns of the others. */
let last: Promise<void> = Promise.resolve()

/**
 * Cuts long work of this thread into pieces, between which flashblocks and other callers have theirs.
 * @example
 * const slices = new Slices(machine)
 * for (const value of values) {
 *   take(value)
 *   if (slices.isOver) await slices.next()
 * }
 */
export class Slices {
  readonly #clock: Clock
  #since: number

  /** @param clock the machine's */
  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Whether this piece has had its time. */
  get isOver(): boolean {
    return this.#clock.now() - this.#since >= SLICE
  }

  /** Resolves when the others have had their turn. */
  async next(): Promise<void> {
    last = last.then(() => setImmediate())
    await last
    this.#since = this.#clock.now()
  }
}
