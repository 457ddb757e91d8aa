/** A simulation with more calls is never begun here, and one with so few always is. */
export const MOST_CALLS = 128
const FEW_CALLS = 24

/**
 * How many calls a simulation may have that is begun here: half of what took too long, and one more with each
 * that somebody asks for. Where others have the processor, a hundred calls take as long as otherwise a thousand, and to
 * begin them only to begin again elsewhere costs both.
 */
export class CallsHere {
  #most = MOST_CALLS

  /** Whether a simulation that somebody asks for is to be begun here. */
  has(calls: number): boolean {
    if (this.#most < MOST_CALLS) this.#most++
    return calls <= this.#most
  }

  /** One of so many calls was given up. */
  tooLong(calls: number): void {
    this.#most = Math.max(FEW_CALLS, Math.floor(calls / 2))
  }
}
