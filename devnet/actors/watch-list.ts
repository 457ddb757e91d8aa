import type { Clock } from '#protocol/clock/clock'
import type { Address } from '#protocol/types/bytes'

const CAPACITY = 10_000
/** Milliseconds before an entry is looked at again: doubled every time, up to the last. */
const FIRST_PAUSE = 2_000
const LAST_PAUSE = 300_000

/** Addresses (of games, of signers) to look at, oldest first; bounded, each with its own pauses. */
export class WatchList {
  readonly #clock: Clock
  readonly #onDropped: (address: Address) => void
  readonly #entries = new Map<Address, { pause: number; notBefore: number }>()

  constructor(clock: Clock, onDropped: (address: Address) => void = () => {}) {
    this.#clock = clock
    this.#onDropped = onDropped
  }

  get size(): number {
    return this.#entries.size
  }

  add(address: Address): void {
    if (this.#entries.has(address)) return
    this.#entries.set(address, { pause: FIRST_PAUSE, notBefore: 0 })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size <= CAPACITY || !oldest) return
    this.#entries.delete(oldest)
    this.#onDropped(oldest)
  }

  delete(address: Address): void {
    this.#entries.delete(address)
  }

  /** Leaves one alone for a while. @returns milliseconds */
  defer(address: Address): number {
    const pause = this.#entries.get(address)?.pause ?? FIRST_PAUSE
    const next = Math.min(2 * pause, LAST_PAUSE)
    this.#entries.set(address, { pause: next, notBefore: this.#clock.now() + pause })
    return pause
  }

  addresses(): Address[] {
    return [...this.#entries.keys()]
  }

  /** Those to look at now. */
  due(): Address[] {
    const now = this.#clock.now()
    return [...this.#entries]
      .filter(([, { notBefore }]) => notBefore <= now)
      .map(([address]) => address)
  }
}
