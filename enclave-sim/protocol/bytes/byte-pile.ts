/** Bytes of the first piece of memory, and of the largest unless one string is longer. */
const FIRST = 2_048
const LARGEST = 65_536

/**
 * Byte strings that are needed together and forgotten together, in few pieces of memory: a piece of its
 * own for each costs more than what is written into it. The largest piece stays for those that come next.
 */
export class BytePile {
  #piece = new Uint8Array(FIRST)
  #used = 0

  /** A copy that stays. */
  add(bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    if (this.#used + length > this.#piece.length) {
      const size = Math.min(2 * this.#piece.length, LARGEST)
      this.#piece = new Uint8Array(Math.max(size, length))
      this.#used = 0
    }
    this.#piece.set(bytes, this.#used)
    const added = this.#piece.subarray(this.#used, this.#used + length)
    this.#used += length
    return added
  }

  /** Forgets all: what is added next is written where they were. */
  clear(): void {
    this.#used = 0
  }
}
