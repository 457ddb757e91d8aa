import type { Hash } from '#protocol/types/bytes'
import type { FetchL1Block } from '../sequencer/l1-prefetch.ts'
import type { L1Block } from '../sequencer/l1-view.ts'

/** L1 blocks that are remembered. */
const MOST = 16

/**
 * The blocks of L1 that branches stand on. Tests branch off the same few blocks over and over, and each
 * would ask L1 three times for what the last one knew.
 */
export class L1Origins {
  readonly #fetchBlock: FetchL1Block
  readonly #known = new Map<Hash, L1Block>()

  constructor(fetchBlock: FetchL1Block) {
    this.#fetchBlock = fetchBlock
  }

  /** Undefined where L1 does not have it, or no longer. */
  async find({ number, hash }: { number: bigint; hash: Hash }): Promise<L1Block | undefined> {
    const known = this.#known.get(hash)
    if (known) return known
    const found = await this.#fetchBlock(number, new AbortController().signal)
    if (found?.header.hash !== hash) return undefined
    this.#known.set(hash, found)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest) this.#known.delete(oldest)
    return found
  }
}
