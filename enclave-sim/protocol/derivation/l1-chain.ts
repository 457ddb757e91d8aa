import type { Hash } from '../types/bytes.ts'
import { DerivationError } from './derivation-error.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'

/** L1 blocks that are walked back from a head before giving up: a week of 12 s blocks. */
const MAX_WALK = 50_400n

/** The hashes of L1 from some block up to a head, in the direction that parent hashes do not give. */
export interface L1Chain {
  hashAt(number: bigint): Hash | undefined
  /**
   * Goes on to another head. An earlier one of the same chain changes nothing.
   * @returns the number of the newest block that both heads have
   * @throws DerivationError L1_REORGED when it is not among those recorded
   */
  moveTo(head: Hash): Promise<bigint>
  /** Forgets the blocks below `number`. */
  prune(number: bigint): void
}

/**
 * Walks back from `head` to block number `from`.
 * @throws DerivationError L1_HEAD_TOO_FAR
 */
export async function createL1Chain(l1: L1Source, head: Hash, from: bigint): Promise<L1Chain> {
  const hashes = new Map<bigint, Hash>()
  let top = await l1.header(head)
  let bottom = from
  for (const [number, hash] of await walkBack(top, from)) hashes.set(number, hash)

  /** The blocks from `start` down to one that is recorded, or to number `to`; newest first. */
  async function walkBack(start: L1Header, to: bigint): Promise<[bigint, Hash][]> {
    if (start.number - to > MAX_WALK) {
      throw new DerivationError(
        'L1_HEAD_TOO_FAR',
        `L1 head ${start.number} is more than ${MAX_WALK} blocks after block ${to}.`,
        { hint: 'Use an L1 head nearer to the batches of the range.' },
      )
    }
    let header = start
    const found: [bigint, Hash][] = [[header.number, header.hash]]
    while (header.number > to && hashes.get(header.number) !== header.hash) {
      header = await l1.header(header.parentHash)
      found.push([header.number, header.hash])
    }
    return found
  }

  return {
    hashAt: (number) => hashes.get(number),
    async moveTo(hash) {
      if (hash === top.hash) return top.number
      const next = await l1.header(hash)
      const found = await walkBack(next, bottom)
      const [meeting, reached] = found.pop()!
      if (hashes.get(meeting) !== reached) {
        throw new DerivationError('L1_REORGED', `L1 block ${meeting} is now ${reached}.`)
      }
      if (found.length === 0) return top.number
      for (let number = top.number; number > meeting; number--) hashes.delete(number)
      for (const [number, at] of found) hashes.set(number, at)
      top = next
      return meeting
    },
    prune(number) {
      while (bottom < number) hashes.delete(bottom++)
    },
  }
}
