import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import type { Hash } from '../types/bytes.ts'
import { readL2Header } from './read-l2-header.ts'

/** BLOCKHASH reaches this many blocks back (Yellow Paper, section 9.4.2). */
const REACH = 256n

/**
 * Hashes of the ancestors of growing tips, for BLOCKHASH. Headers before the range are read from the
 * oracle one parent at a time, and only as far back as a contract really asks.
 */
export class AncestorHashes {
  readonly #oracle: PreimageOracle
  readonly #hashes = new Map<bigint, Hash>()
  #tip: bigint
  #oldest: bigint

  constructor(oracle: PreimageOracle, tip: { number: bigint; hash: Hash }) {
    this.#oracle = oracle
    this.#tip = tip.number
    this.#oldest = tip.number
    this.#hashes.set(tip.number, tip.hash)
  }

  /** A block of the range was executed. */
  append(block: { number: bigint; hash: Hash }): void {
    this.#tip = block.number
    this.#hashes.set(block.number, block.hash)
  }

  /** undefined above the tip, below genesis and beyond the 256 newest. */
  async at(number: bigint): Promise<Hash | undefined> {
    if (number < 0n || number > this.#tip || number + REACH <= this.#tip) return undefined
    while (this.#oldest > number) {
      const header = await readL2Header(this.#oracle, this.#hashes.get(this.#oldest)!)
      this.#oldest -= 1n
      this.#hashes.set(this.#oldest, header.parentHash)
    }
    return this.#hashes.get(number)
  }
}
