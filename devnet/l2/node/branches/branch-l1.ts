import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import type { L1Block, L1View } from '../sequencer/l1-view.ts'
import type { L1Origins } from './l1-origins.ts'

/** L1 as a branch sees it: it stands still at one block, so no deposits come from it, and no reorganization. */
export class BranchL1 implements L1View {
  readonly #origins: L1Origins
  #origin: L1Block | undefined

  constructor(origins: L1Origins) {
    this.#origins = origins
  }

  head(): bigint {
    return this.#origin?.header.number ?? 0n
  }

  block(number: bigint): L1Block | undefined {
    return this.#origin?.header.number === number ? this.#origin : undefined
  }

  async recall({ number, hash }: { number: bigint; hash: Hash }): Promise<void> {
    if (this.#origin?.header.hash === hash) return
    const found = await this.#origins.find({ number, hash })
    if (!found) {
      const message = `L1 has no block ${number} with hash ${hash} any more.`
      throw new RollbedError('L1_ORIGIN_MISSING', message)
    }
    this.#origin = found
  }

  remember(): void {}

  forget(): void {}
}
