import { firstFast } from './block-due.ts'
import type { PlacedLog, RangeSeen } from './events-of.ts'
import type { KnownBlock, L2Tree } from './l2-tree.ts'
import { headsWithin, openUpon } from './possible-values.ts'

/**
 * What a filter may be answered with, at any moment between asking and answering. Receipts are held to the
 * ledger by whoever executes blocks.
 * @returns undefined where nobody can know, as for values
 */
export function possibleLogs(
  tree: L2Tree,
  range: RangeSeen & { t: number },
): PlacedLog[][] | undefined {
  const heads = headsWithin(tree, range.asked, range.t)
  if (!heads) return undefined
  // Since Denim nobody is shown a block that is being built.
  const isShown = ({ number }: KnownBlock) =>
    range.to === 'pending' && number + 1 < firstFast(tree.known)
  const possible: PlacedLog[][] = []
  for (const head of heads) {
    const sealed = sealedIn(tree, range, head)
    const open = openUpon(tree, isShown(head) ? [head] : [], range.asked, range.t)
    // What was in a block that was given up is in no receipt.
    if (!sealed || !open || open.givenUp.length > 0) return undefined
    const before = sealed.flatMap((block) => logsIn(block, range))
    possible.push(before)
    for (const growing of open.sealed) {
      const ends = [0, ...growing.receipts.map((_, index) => index + 1)]
      possible.push(...ends.map((end) => [...before, ...logsIn(growing, range, end)]))
    }
  }
  return possible
}

/** Blocks of the range that are sealed while this one is the newest, oldest first. */
function sealedIn(tree: L2Tree, { from }: RangeSeen, head: KnownBlock): KnownBlock[] | undefined {
  const first = from === 'latest' ? head.number : Number(from)
  const blocks: KnownBlock[] = []
  for (const block of tree.backFrom(head.hash)) {
    if (block.number < first) return blocks
    blocks.unshift(block)
    if (block.number === first) return blocks
  }
  return undefined
}

/** @param end how many of its transactions are there by then */
function logsIn(
  { number, receipts }: KnownBlock,
  { address, topics = [] }: RangeSeen,
  end = receipts.length,
) {
  return receipts.slice(0, end).flatMap(({ transactionHash: transaction, logs }): PlacedLog[] =>
    logs
      .filter((log) => !address || log.address.toLowerCase() === address.toLowerCase())
      .filter((log) =>
        topics.every(
          (topic, at) => !topic || log.topics[at]?.toLowerCase() === topic.toLowerCase(),
        ),
      )
      .map(({ logIndex }) => ({ block: number, transaction, index: Number(logIndex) })),
  )
}
