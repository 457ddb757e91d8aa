import type { Hex } from 'viem'
import type { Batched, BatchedBlock } from './batched.ts'
import { blockDue, firstFast } from './block-due.ts'
import { DEPOSIT, originOf } from './derive-deposits.ts'
import type { ChainKnown, L1BlockSeen } from './events-of.ts'
import { Inbox } from './inbox.ts'
import type { KnownBlock, L2Tree } from './l2-tree.ts'

/** OP specification, Fjord: seconds by which a block with transactions may be ahead of its origin. */
const MAX_DRIFT = 1_800

/** What L1 makes of L2. */
export interface Derived {
  /** Oldest first, from the first block of L2 on. */
  blocks: readonly KnownBlock[]
  /** By which block of L1 each of them was there, by their hashes. */
  inclusions: ReadonlyMap<Hex, number>
  /** The chain of L1 of which they are. */
  l1: readonly L1BlockSeen[]
  /** The block that follows and that nobody was told of, if one does. */
  unknown?: BatchedBlock
}

/**
 * L2 by L1 alone, block by block, by the OP specification (Holocene) and base/base since Denim: what is posted in
 * time and fits is a block, and where nothing was posted within the window an empty one is. It shares no code with sequencer, batcher and
 * derivation. Blocks are known by what was told of them; deposits and execution others look at.
 *
 * @param l1 a chain of L1, oldest first, from its first block on
 * @returns undefined where nobody can know: of a chain without its beginning, and of blobs
 */
export function deriveL2(
  l1: readonly L1BlockSeen[],
  tree: L2Tree,
  known: ChainKnown,
): Derived | undefined {
  const genesis = [...tree.blocks.values()].find(({ number }) => number === 0)
  if (!genesis || l1[0]?.number !== 0 || l1.some(({ hasBlobs }) => hasBlobs)) return undefined
  const derivation = new Derivation(l1, tree, genesis, known)
  for (const block of l1) derivation.read(block)
  const { blocks, inclusions } = derivation
  return { blocks, inclusions, l1, ...(derivation.unknown && { unknown: derivation.unknown }) }
}

class Derivation {
  readonly blocks: KnownBlock[]
  readonly inclusions = new Map<Hex, number>()
  unknown: BatchedBlock | undefined
  readonly #l1: readonly L1BlockSeen[]
  readonly #tree: L2Tree
  readonly #known: ChainKnown
  readonly #inbox: Inbox
  #epoch: number

  constructor(l1: readonly L1BlockSeen[], tree: L2Tree, genesis: KnownBlock, known: ChainKnown) {
    this.#l1 = l1
    this.#tree = tree
    this.#known = known
    this.#inbox = new Inbox(known)
    this.blocks = [genesis]
    this.#epoch = known.genesisL1
  }

  read({ number, batches }: L1BlockSeen): void {
    const before = this.blocks.length
    for (const channel of this.#inbox.read(batches)) this.#read(channel, number)
    while (!this.unknown && this.#addEmpty(number));
    for (const { hash } of this.blocks.slice(before)) this.inclusions.set(hash, number)
  }

  get #safe(): KnownBlock {
    return this.blocks.at(-1)!
  }

  get #nextTime(): number {
    return Math.floor(blockDue(this.#known, this.#safe.number + 1) / 1_000)
  }

  /** Behind a batch that is invalid nothing of its channel counts. */
  #read(channel: readonly Batched[], inclusion: number): void {
    for (const batch of channel) {
      const isFine = batch.isSpan
        ? this.#takeSpan(batch, inclusion)
        : this.#takeOne(batch, inclusion)
      if (!isFine || this.unknown) return
    }
  }

  #takeOne({ parentCheck, originCheck, blocks: [block] }: Batched, inclusion: number): boolean {
    if (block!.time < this.#nextTime) return true
    if (block!.time > this.#nextTime) return false
    if (parentCheck !== this.#safe.hash) return this.#isStale(parentCheck)
    if (this.#l1[block!.epoch]?.hash !== originCheck || !this.#fits(block!, inclusion)) return false
    this.#add(block!)
    return true
  }

  /** A batch of the same second whose block is safe by now, by the parent that it names, is as good as past. */
  #isStale(parent: Hex): boolean {
    const ofSecond = this.blocks.filter(({ time }) => time === this.#nextTime)
    return ofSecond.some((block) => block.parent === parent)
  }

  #takeSpan({ parentCheck, originCheck, blocks }: Batched, inclusion: number): boolean {
    const [first, last] = [blocks[0]!, blocks.at(-1)!]
    const parent = this.blocks.find(({ time }) => time === first.time - this.#known.blockTime)
    if (last.time < this.#nextTime) return true
    // Ahead of its time, or of a chain that is none any more.
    if (first.time > this.#nextTime || !parent?.hash.startsWith(parentCheck)) return false
    if (!this.#l1[last.epoch]?.hash.startsWith(originCheck)) return false
    for (const block of blocks) {
      if (block.time < this.#nextTime) {
        if (!this.#isSafe(block)) return false
        continue
      }
      // Since Denim a block is in a batch by itself; those before it still count.
      const isFast = this.#safe.number + 1 >= firstFast(this.#known)
      if (this.unknown || isFast || !this.#fits(block, inclusion)) return false
      this.#add(block)
    }
    return true
  }

  /** Where a span begins before what is new, it has to say what is safe there. */
  #isSafe({ time, epoch, transactions }: BatchedBlock): boolean {
    const safe = this.blocks.find((each) => each.time === time)
    const origin = this.#l1[epoch]?.hash
    return !!safe && originOf(safe)?.hash === origin && usersOf(safe).join() === transactions.join()
  }

  #fits({ time, epoch, transactions }: BatchedBlock, inclusion: number): boolean {
    const origin = this.#l1[epoch]
    const isNear = epoch === this.#epoch || epoch === this.#epoch + 1
    if (!origin || !isNear || epoch + this.#known.sequencerWindow < inclusion) return false
    if (time < origin.time) return false
    if (time <= origin.time + MAX_DRIFT) return true
    // Too far ahead it may have no transactions, and takes the next origin as soon as there is one.
    const next = this.#l1[epoch + 1]
    return transactions.length === 0 && !(epoch === this.#epoch && next && time >= next.time)
  }

  /** @returns whether there was nothing else in time */
  #addEmpty(inclusion: number): boolean {
    const next = this.#l1[this.#epoch + 1]
    const isOver = (epoch: number) => epoch + this.#known.sequencerWindow <= inclusion
    if (!next || !isOver(this.#epoch)) return false
    const epoch = this.#nextTime < next.time ? this.#epoch : next.number
    if (!isOver(epoch)) return false
    this.#add({ time: this.#nextTime, epoch, transactions: [] })
    return true
  }

  #add(block: BatchedBlock): void {
    const { hash: origin } = this.#l1[block.epoch]!
    const users = block.transactions.join()
    const found = this.#tree
      .on(this.#safe.hash)
      .find((each) => originOf(each)?.hash === origin && usersOf(each).join() === users)
    if (found) this.blocks.push(found)
    else this.unknown = block
    this.#epoch = block.epoch
  }
}

function usersOf({ transactions }: KnownBlock): Hex[] {
  return transactions.filter(({ type }) => type !== DEPOSIT).map(({ hash }) => hash)
}
