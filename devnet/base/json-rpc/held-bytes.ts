/** What is held for one caller. */
export interface HeldFor {
  /** @param bytes by how much it grew; negative when it became less */
  add(bytes: number): void
  /** To be called when the caller is gone, or nothing is held for it any more. */
  end(): void
}

/**
 * One limit over what a server holds for all its callers, be it answers that they have not read or
 * requests that have not come whole, and a lower one over that of all but the greediest: one caller may
 * have a very long answer, many may not have one each. For whom most is held is cut off when either is
 * reached, and nobody else.
 */
export class HeldBytes {
  readonly #limit: number
  readonly #besideGreediest: number
  readonly #callers = new Map<HeldFor, { bytes: number; cutOff: () => void }>()
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
  open(cutOff: () => void): HeldFor {
    const own: HeldFor = {
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
