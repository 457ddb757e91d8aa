import type { Hash } from '#protocol/types/bytes'

/** Blocks that are read before anybody asks for them. */
const AHEAD = 8

/**
 * A reader that also asks for the blocks after the one that is wanted: derivation goes through L1 block
 * by block, and the way to a node and back is longer than what either has to do. What fails ahead of
 * its time is told to whoever asks for it.
 *
 * @param next the block after a block, as far as known
 */
export function readAhead<T>(
  read: (hash: Hash) => Promise<T>,
  next: (hash: Hash) => Hash | undefined,
): (hash: Hash) => Promise<T> {
  const underWay = new Map<Hash, Promise<T>>()
  const start = (hash: Hash) => {
    const answer = read(hash)
    answer.catch(() => undefined)
    underWay.set(hash, answer)
    return answer
  }
  return (hash) => {
    const wanted = underWay.get(hash) ?? start(hash)
    let ahead = next(hash)
    for (let count = 0; ahead && count < AHEAD; count++) {
      if (!underWay.has(ahead)) start(ahead)
      ahead = next(ahead)
    }
    underWay.delete(hash)
    return wanted
  }
}
