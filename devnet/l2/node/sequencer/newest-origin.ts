import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainView } from '../chain-view.ts'
import type { FetchL1Block } from './l1-prefetch.ts'

type Origin = { number: bigint; hash: Hash }

/**
 * The newest block of L1 that the chain was built on: while nobody looked, L1 may have dropped others. What is final
 * it does not drop.
 * @returns the chain's own origin, too, where L1 has no block of its number yet; that of the final block, where all
 *   others were dropped
 */
export async function newestOrigin(
  chain: Pick<ChainView, 'latest' | 'finalized' | 'blockByNumber'>,
  config: RollupConfig,
  fetchBlock: FetchL1Block,
  signal: AbortSignal,
): Promise<Origin> {
  const originOf = (block: Block): Origin => l2Parent(config, block).l1Origin
  const own = originOf(chain.latest())
  const final = chain.finalized().header.number
  let dropped: Hash | undefined
  // A chain that begins has nothing that is not final: L1 is not asked.
  for (let number = chain.latest().header.number; number > final; number--) {
    const block = chain.blockByNumber(number)
    if (!block) return own
    const origin = originOf(block)
    if (origin.hash === dropped) continue
    const now = await fetchBlock(origin.number, signal)
    if (now?.header.hash === origin.hash) return origin
    // It may only be behind: then nothing was dropped.
    if (!now) return own
    dropped = origin.hash
  }
  return originOf(chain.finalized())
}
