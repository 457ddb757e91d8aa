import type { BlockEnvironment, Scratch } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'

/** Then it is opened anew: what simulations have read of a state is not remembered for ever. */
const MAX_USES = 64

/**
 * The state in which a simulated block's calls begin, for the next simulation upon the same block: its
 * system calls have run, and what others have read is at hand. What they did is taken back.
 */
export class KeptStart {
  #scratch: Scratch | undefined
  /** What it is the start of. */
  #of: readonly unknown[] = []
  #uses = 0

  /** It is the caller's alone until it is given back, if ever. */
  async take(
    open: () => Scratch,
    stateRoot: Hash,
    block: Pick<Header, 'number' | 'timestamp' | 'parentHash' | 'parentBeaconBlockRoot'>,
    environment: BlockEnvironment,
  ): Promise<Scratch> {
    const { number, timestamp, parentHash, parentBeaconBlockRoot } = block
    // Of the environment the system calls see number and time alone.
    const of = [stateRoot, number, timestamp, parentHash, parentBeaconBlockRoot]
    const kept = this.#scratch
    this.#scratch = undefined
    const isSame = of.every((part, at) => part === this.#of[at])
    if (kept && isSame && ++this.#uses < MAX_USES) {
      kept.rewind()
      return kept
    }
    const scratch = open()
    await scratch.applyBlockStart(environment, block)
    scratch.mark()
    this.#of = of
    this.#uses = 0
    return scratch
  }

  /** Only what has not been committed can be used again. */
  giveBack(scratch: Scratch): void {
    this.#scratch = scratch
  }
}
