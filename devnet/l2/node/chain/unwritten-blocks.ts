import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'

interface Place {
  block: Block
  index: number
}

/** The newest blocks of a chain, as long as they are in memory alone, by hash and by their transactions. */
export class UnwrittenBlocks {
  readonly #blocks: Block[] = []
  readonly #byHash = new Map<Hash, Block>()
  /** Where a transaction stands, the newest block last. */
  readonly #transactions = new Map<Hash, Place[]>()

  get newest(): Block | undefined {
    return this.#blocks.at(-1)
  }

  /** On top of those that are here. */
  add(block: Block): void {
    this.#blocks.push(block)
    this.#byHash.set(block.hash, block)
    for (const [index, { hash }] of block.transactions.entries()) {
      const places = this.#transactions.get(hash)
      if (places) places.push({ block, index })
      else this.#transactions.set(hash, [{ block, index }])
    }
  }

  has({ hash }: Block): boolean {
    return this.#byHash.has(hash)
  }

  byHash(hash: Hash): Block | undefined {
    return this.#byHash.get(hash)
  }

  /** In the newest block that has it. */
  findTransaction(hash: Hash): Place | undefined {
    return this.#transactions.get(hash)?.at(-1)
  }

  /** In order, at most so many, and at least one, however many transactions that has. */
  oldest(most: { blocks: number; transactions: number }): Block[] {
    let transactions = 0
    const end = this.#blocks.findIndex((block, at) => {
      transactions += block.transactions.length
      return at > 0 && (at >= most.blocks || transactions > most.transactions)
    })
    return this.#blocks.slice(0, end < 0 ? this.#blocks.length : end)
  }

  /** The oldest, which is on disk, or the newest, which is gone. Nothing where it is not here. */
  remove(block: Block): void {
    if (!this.#byHash.delete(block.hash)) return
    if (this.#blocks.at(-1) === block) this.#blocks.pop()
    else this.#blocks.shift()
    for (const { hash } of block.transactions) {
      const left = this.#transactions.get(hash)?.filter((place) => place.block !== block) ?? []
      if (left.length > 0) this.#transactions.set(hash, left)
      else this.#transactions.delete(hash)
    }
  }
}
