import { isDeepStrictEqual } from 'node:util'
import type { OpenBlock } from '#protocol/execution/executor'
import type { CallContext } from '../calls/run-call.ts'
import { openReplay, type Replay } from './replay.ts'

/** More are no longer the ones that somebody looks at. */
const MAX_BLOCKS = 32
/** Gas used in all of them: what a block reads and writes is bounded by it, to some 30 MB together. */
const MAX_GAS = 200_000_000n

interface KeptReplay {
  replay: Replay
  block: OpenBlock
}

/**
 * Blocks that were executed again for traces and stay open: the next trace in one of them goes on, or
 * back, from where the last one has ended, instead of from the block's beginning.
 */
export class KeptReplays {
  readonly #maxGas: bigint
  /** The one used last at the end. */
  #kept: KeptReplay[] = []

  constructor(maxGas = MAX_GAS) {
    this.#maxGas = maxGas
  }

  /**
   * The block, with the first of its transactions executed: at most `count`, as many as there is no need
   * to execute again. It is kept no longer, until it is told of by `keep`.
   */
  async take(context: CallContext, replay: Replay, count: number): Promise<OpenBlock> {
    const found = this.#kept.find((one) => isSameBlock(one.replay, replay))
    if (!found) return openReplay(context, replay, { canRewind: true })
    this.#kept = this.#kept.filter((one) => one !== found)
    const { block } = found
    block.rewind(Math.min(count, sharedCount(block, replay)))
    return block
  }

  /** The ones used long ago are forgotten where there are too many. */
  keep(replay: Replay, block: OpenBlock): void {
    // Those that were executed are in the block.
    this.#kept.push({ replay: { ...replay, transactions: [] }, block })
    let gas = this.#kept.reduce((sum, { block: { gasUsed } }) => sum + gasUsed, 0n)
    while (this.#kept.length > MAX_BLOCKS || gas > this.#maxGas) {
      gas -= this.#kept.shift()!.block.gasUsed
    }
  }
}

/** Whether they begin in the same way. */
function isSameBlock(one: Replay, other: Replay): boolean {
  return one.parentHash === other.parentHash && isDeepStrictEqual(start(one), start(other))
}

function start({ attributes, baseFeePerGas }: Replay) {
  return { attributes, baseFeePerGas }
}

/** How many of the block's transactions are the replay's, too: a pending block's may be others soon. */
function sharedCount({ transactions }: OpenBlock, replay: Replay): number {
  const isOther = transactions.findIndex(({ hash, from }, index) => {
    const wanted = replay.transactions[index]
    return wanted?.hash !== hash || wanted.from !== from
  })
  return isOther < 0 ? transactions.length : isOther
}
