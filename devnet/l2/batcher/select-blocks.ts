import type { Block } from '#protocol/types/block'
import type { ChainView } from '../node/chain-view.ts'

/** What one channel may hold, so that a long backlog goes out piece by piece. */
const MAX_BLOCKS = 2_000
const MAX_BYTES = 1_000_000

/** The sealed blocks after `posted`, up to `latest`, for the next channel: at least one if there is any. */
export function selectBlocks(
  chain: Pick<ChainView, 'latest' | 'blockByNumber'>,
  posted: bigint,
  latest: bigint = chain.latest().header.number,
): Block[] {
  const blocks: Block[] = []
  let bytes = 0
  for (let number = posted + 1n; number <= latest && blocks.length < MAX_BLOCKS; number++) {
    const block = chain.blockByNumber(number)
    if (!block) break
    bytes += block.size
    if (blocks.length > 0 && bytes > MAX_BYTES) break
    blocks.push(block)
  }
  return blocks
}
