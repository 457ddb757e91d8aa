/** What one caller has not read yet. */
export interface UnsentOf {
  /** @param bytes below zero: they were sent */
  add(bytes: number): void
  /** The caller is gone, or has read all. */
  end(): void
}

/**
 * One limit over the answers that wait for all callers of a server: whoever lets most of them wait is
 * cut off when it is reached, and nobody else.
 */
export class UnsentBytes {
  readonly #limit: number
  readonly #callers = new Map<UnsentOf, { bytes: number; cutOff: () => void }>()
  #total = 0

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param cutOff closes the caller's connection */
  open(cutOff: () => void): UnsentOf {
    const own: UnsentOf = {
      add: (bytes) => {
        const caller = this.#callers.get(own)
        if (!caller) return
        caller.bytes += bytes
        this.#total += bytes
        while (this.#total > this.#limit) this.#cutOffGreediest()
      },
      end: () => {
        this.#total -= this.#callers.get(own)?.bytes ?? 0
        this.#callers.delete(own)
      },
    }
    this.#callers.set(own, { bytes: 0, cutOff })
    return own
  }

  #cutOffGreediest(): void {
    const [caller, { cutOff }] = [...this.#callers].reduce((most, next) =>
      next[1].bytes > most[1].bytes ? next : most,
    )
    caller.end()
    cutOff()
  }
}
