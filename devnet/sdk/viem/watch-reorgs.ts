import type { Chain, Client, Hash, Transport } from 'viem'
import { getBlock } from 'viem/actions'
import { poll } from './poll.ts'

/** A block by which it is told from others of its number. */
export interface BlockIdentity {
  number: bigint
  hash: Hash
}

/** Sealed blocks that left the chain. */
export interface Reorg {
  /** Those that are gone and were seen since the watch began, newest first. */
  removed: readonly BlockIdentity[]
  /** What took their place, oldest first; empty where the chain went back. */
  added: readonly BlockIdentity[]
}

export interface WatchReorgsParameters {
  onReorg(reorg: Reorg): void
  onError?: ((error: Error) => void) | undefined
}

/** Blocks that are remembered: no reorganization that is deeper shows its end. */
const MEMORY = 256n

/** @see PreconfirmationActions.watchReorgs */
export function watchReorgs(
  client: Client<Transport, Chain | undefined>,
  { onReorg, onError }: WatchReorgsParameters,
): () => void {
  const seen = new Map<bigint, Hash>()
  return poll(async () => {
    let block = await getBlock(client, { blockTag: 'latest' })
    const { number: head } = block
    const added: BlockIdentity[] = []
    const oldest = seen.size === 0 ? head : lowest(seen)
    const isNew = ({ number }: BlockIdentity) => seen.size === 0 || number >= oldest
    // From the newest block down to one that is known.
    while (seen.get(block.number) !== block.hash) {
      added.unshift({ number: block.number, hash: block.hash })
      if (block.number <= oldest || head - block.number >= MEMORY) break
      block = await getBlock(client, { blockHash: block.parentHash })
    }
    const first = added[0]?.number ?? head + 1n
    // Below what was seen nobody can tell whether a block is another one.
    const fresh = added.filter(isNew)
    const removed = [...seen]
      .filter(([number]) => number >= first)
      .map(([number, hash]) => ({ number, hash }))
      .sort((a, b) => (a.number < b.number ? 1 : -1))
    for (const { number } of removed) seen.delete(number)
    for (const { number, hash } of added) seen.set(number, hash)
    for (const number of seen.keys()) if (number + MEMORY <= head) seen.delete(number)
    return () => {
      if (removed.length > 0) onReorg({ removed, added: fresh })
    }
  }, onError)
}

const lowest = (seen: ReadonlyMap<bigint, Hash>): bigint =>
  [...seen.keys()].sort((a, b) => (a < b ? -1 : 1))[0]!
