import type { Hash } from '../execution/types.ts'
import { DerivationError } from './derivation-error.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'

/** L1 blocks that are walked back from a head before giving up: a week of 12 s blocks. */
const MAX_WALK = 50_400n

/** The hashes of L1 from some block up to a head, in the direction that parent hashes do not give. */
export interface L1Chain {
  headNumber(): bigint
  hashAt(number: bigint): Hash | undefined
  /** Goes on to a later head. @throws DerivationError L1_REORGED when it does not build on this one */
  extend(head: Hash): Promise<void>
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
  await walkBack(top, from)

  /** Down to block `to`, which is recorded too. @returns its hash */
  async function walkBack(start: L1Header, to: bigint): Promise<Hash> {
    if (start.number - to > MAX_WALK) {
      throw new DerivationError(
        'L1_HEAD_TOO_FAR',
        `L1 head ${start.number} is more than ${MAX_WALK} blocks after block ${to}.`,
        { hint: 'Use an L1 head nearer to the batches of the range.' },
      )
    }
    let header = start
    const found: [bigint, Hash][] = [[header.number, header.hash]]
    while (header.number > to) {
      header = await l1.header(header.parentHash)
      found.push([header.number, header.hash])
    }
    for (const [number, hash] of found) if (!hashes.has(number)) hashes.set(number, hash)
    return header.hash
  }

  return {
    headNumber: () => top.number,
    hashAt: (number) => hashes.get(number),
    async extend(hash) {
      if (hash === top.hash) return
      const next = await l1.header(hash)
      const isLonger = next.number > top.number
      const meeting = isLonger ? top.number : next.number
      const reached = isLonger ? await walkBack(next, meeting) : hash
      if (hashes.get(meeting) !== reached) {
        throw new DerivationError('L1_REORGED', `L1 block ${meeting} is now ${reached}.`)
      }
      if (isLonger) top = next
    },
    prune(number) {
      while (bottom < number) hashes.delete(bottom++)
    },
  }
}
