import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { BlockHistory } from '../chain/block-history.ts'
import { type ChainView, isSealed } from '../chain-view.ts'

/** What a branch reads of the chain that it left. */
export type Trunk = Pick<
  ChainView,
  'blockByNumber' | 'blockByHash' | 'findTransaction' | 'numbersWithLogs' | 'on'
>

/**
 * The blocks of a branch: its own in memory, those below from the chain that it left. What that chain
 * drops of them is kept here, so that it may go where it likes.
 */
export class BranchHistory implements BlockHistory {
  readonly #trunk: Trunk
  /** Blocks up to this number are the trunk's, except those in `#own`. */
  #base: bigint
  readonly #own = new Map<bigint, Block>()
  readonly #numbers = new Map<Hash, bigint>()
  readonly #transactions = new Map<Hash, { number: bigint; index: number }>()
  readonly #leave: () => void

  constructor(trunk: Trunk, base: bigint) {
    this.#trunk = trunk
    this.#base = base
    this.#leave = trunk.on('reorg', ({ removed }) => {
      for (const block of removed) {
        const { number } = block.header
        if (number <= this.#base && !this.#own.has(number)) this.#keep(block)
      }
    })
  }

  append(block: Block): void {
    this.#keep(block)
  }

  /** Whether the trunk no longer has this block, which the branch stands on. */
  hasLost(number: bigint): boolean {
    return number <= this.#base && this.#own.has(number)
  }

  removeAbove(number: bigint): Block[] {
    const removed: Block[] = []
    for (let at = number + 1n; ; at++) {
      const block = this.byNumber(at)
      if (!block) break
      removed.unshift(block)
    }
    for (const { header, hash, transactions } of removed) {
      this.#own.delete(header.number)
      this.#numbers.delete(hash)
      for (const transaction of transactions) this.#transactions.delete(transaction.hash)
    }
    if (number < this.#base) this.#base = number
    return removed
  }

  byNumber(number: bigint): Block | undefined {
    const own = this.#own.get(number)
    if (own || number > this.#base) return own
    return this.#trunk.blockByNumber(number)
  }

  hashOf(number: bigint): Hash | undefined {
    return this.byNumber(number)?.hash
  }

  byHash(hash: Hash): Block | undefined {
    const number = this.#numbers.get(hash)
    if (number !== undefined) return this.#own.get(number)
    const block = this.#trunk.blockByHash(hash)
    return block && this.#isOfTrunk(block) ? block : undefined
  }

  findTransaction(hash: Hash): { block: Block; index: number } | undefined {
    const own = this.#transactions.get(hash)
    if (own) return { block: this.#own.get(own.number)!, index: own.index }
    const found = this.#trunk.findTransaction(hash)
    if (!found || !isSealed(found.block) || !this.#isOfTrunk(found.block)) return undefined
    return { block: found.block, index: found.index }
  }

  withLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    const found: bigint[] = []
    let at = first
    // The trunk has an index of its own; what it has lost begins where it was reorganized.
    const end = last < this.#base ? last : this.#base
    for (const number of this.#trunk.numbersWithLogs(first, end, mayHold)) {
      if (this.#own.has(number)) break
      found.push(number)
      at = number + 1n
    }
    for (; at <= last; at++) {
      const block = this.#own.get(at)
      if (block && mayHold(block.header.logsBloom)) found.push(at)
    }
    return found
  }

  /** The trunk forgets the branch. */
  close(): void {
    this.#leave()
  }

  #keep(block: Block): void {
    const { number } = block.header
    this.#own.set(number, block)
    this.#numbers.set(block.hash, number)
    for (const [index, { hash }] of block.transactions.entries()) {
      this.#transactions.set(hash, { number, index })
    }
  }

  #isOfTrunk({ header }: Block): boolean {
    return header.number <= this.#base && !this.#own.has(header.number)
  }
}
