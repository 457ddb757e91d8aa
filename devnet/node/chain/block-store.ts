import type { Block, Hash } from '../../../enclave-sim/execution/types.ts'

/** Where the canonical sealed blocks are kept. Behind an interface so that history can be bounded. */
export interface BlockStore {
  /** The next block of the chain. */
  append(block: Block): void
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
