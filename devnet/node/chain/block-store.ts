import type { Block, Hash } from '../../../enclave-sim/execution/types.ts'

/** Where the canonical sealed blocks are kept. Behind an interface so that history can be bounded. */
export interface BlockStore {
  /** The next block of the chain. */
  append(block: Block): void
  /** Takes the blocks above this number out of the chain. Returns them, newest first. */
  removeAbove(number: bigint): Block[]
  byNumber(number: bigint): Block | undefined
  byHash(hash: Hash): Block | undefined
  findTransaction(hash: Hash): { block: Block; index: number } | undefined
}

/** Keeps every block in memory. */
export class MemoryBlockStore implements BlockStore {
  readonly #blocks: Block[] = []
  readonly #byHash = new Map<Hash, Block>()
  readonly #transactions = new Map<Hash, { block: Block; index: number }>()

  append(block: Block): void {
    this.#blocks.push(block)
    this.#byHash.set(block.hash, block)
    for (const [index, { hash }] of block.transactions.entries()) {
      this.#transactions.set(hash, { block, index })
    }
  }

  removeAbove(number: bigint): Block[] {
    const first = this.#blocks[0]
    if (!first) return []
    const removed = this.#blocks.splice(Number(number - first.header.number) + 1).reverse()
    for (const { hash, transactions } of removed) {
      this.#byHash.delete(hash)
      for (const transaction of transactions) this.#transactions.delete(transaction.hash)
    }
    return removed
  }

  byNumber(number: bigint): Block | undefined {
    const first = this.#blocks[0]
    return first && this.#blocks[Number(number - first.header.number)]
  }

  byHash(hash: Hash): Block | undefined {
    return this.#byHash.get(hash)
  }

  findTransaction(hash: Hash): { block: Block; index: number } | undefined {
    return this.#transactions.get(hash)
  }
}
