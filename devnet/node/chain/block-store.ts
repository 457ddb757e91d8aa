import type { Block } from '../../../enclave-sim/protocol/types/block.ts'
import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'

/** Where the canonical sealed blocks are kept. Behind an interface so that history can be bounded. */
export interface BlockStore {
  /** The next block of the chain. */
  append(block: Block): void
  /** Takes the blocks above this number out of the chain. Returns them, newest first. */
  removeAbove(number: bigint): Block[]
  /** Forgets the oldest blocks up to this number, but never genesis. */
  forgetBelow(number: bigint): void
  /** Whether the block was forgotten. */
  isForgotten(number: bigint): boolean
  byNumber(number: bigint): Block | undefined
  byHash(hash: Hash): Block | undefined
  findTransaction(hash: Hash): { block: Block; index: number } | undefined
}

/** Keeps blocks in memory: genesis, and all from some number on. */
export class MemoryBlockStore implements BlockStore {
  #genesis: Block | undefined
  /** Without a gap, from `#first` on. */
  readonly #blocks: Block[] = []
  #first = 0n
  readonly #byHash = new Map<Hash, Block>()
  readonly #transactions = new Map<Hash, { block: Block; index: number }>()

  append(block: Block): void {
    if (!this.#genesis) {
      this.#genesis = block
      this.#first = block.header.number
    }
    this.#blocks.push(block)
    this.#byHash.set(block.hash, block)
    for (const [index, { hash }] of block.transactions.entries()) {
      this.#transactions.set(hash, { block, index })
    }
  }

  removeAbove(number: bigint): Block[] {
    const kept = Math.max(0, Number(number - this.#first) + 1)
    const removed = this.#blocks.splice(kept).reverse()
    for (const block of removed) this.#forget(block)
    if (kept === 0) this.#first = number + 1n
    return removed
  }

  forgetBelow(number: bigint): void {
    const count = Math.max(0, Number(number - this.#first))
    for (const block of this.#blocks.splice(0, count)) {
      if (block !== this.#genesis) this.#forget(block)
      this.#first = block.header.number + 1n
    }
  }

  isForgotten(number: bigint): boolean {
    return number >= 0n && number < this.#first && this.byNumber(number) === undefined
  }

  byNumber(number: bigint): Block | undefined {
    if (number === this.#genesis?.header.number) return this.#genesis
    return this.#blocks[Number(number - this.#first)]
  }

  byHash(hash: Hash): Block | undefined {
    return this.#byHash.get(hash)
  }

  findTransaction(hash: Hash): { block: Block; index: number } | undefined {
    return this.#transactions.get(hash)
  }

  #forget({ hash, transactions }: Block): void {
    this.#byHash.delete(hash)
    for (const transaction of transactions) this.#transactions.delete(transaction.hash)
  }
}
