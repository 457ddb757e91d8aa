/** What one caller has not read yet. */
export interface UnsentOf {
  /** @param bytes by how much it grew; negative when bytes were sent */
  add(bytes: number): void
  /** To be called when the caller is gone, or has read everything. */
  end(): void
}

/**
 * One limit over the answers that wait for all callers of a server, and a lower one over those of all
 * but the greediest: one caller may have a very long answer, many may not have one each. Whoever lets
 * most wait is cut off when either is reached, and nobody else.
 */
export class UnsentBytes {
  readonly #limit: number
  readonly #besideGreediest: number
  readonly #callers = new Map<UnsentOf, { bytes: number; cutOff: () => void }>()
  #total = 0

  /**
   * @param limit bytes of all callers
   * @param besideGreediest bytes of all but the greediest; it holds only where it is lower
   */
  constructor(limit: number, besideGreediest = limit) {
    this.#limit = limit
    this.#besideGreediest = Math.min(limit, besideGreediest)
  }

  /** @param cutOff closes the caller's connection */
  open(cutOff: () => void): UnsentOf {
    const own: UnsentOf = {
      add: (bytes) => {
        const caller = this.#callers.get(own)
        if (!caller) return
        caller.bytes += bytes
        this.#total += bytes
        this.#keepLimits()
      },
      end: () => {
        this.#total -= this.#callers.get(own)?.bytes ?? 0
        this.#callers.delete(own)
      },
    }
    this.#callers.set(own, { bytes: 0, cutOff })
    return own
  }

  #keepLimits(): void {
    while (this.#total > this.#besideGreediest) {
      const [caller, { bytes, cutOff }] = [...this.#callers].reduce((most, next) =>
        next[1].bytes > most[1].bytes ? next : most,
      )
      if (this.#total <= this.#limit && this.#total - bytes <= this.#besideGreediest) return
      caller.end()
      cutOff()
    }
  }
}
