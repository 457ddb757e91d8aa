import { type FollowedWord, NOTHING } from './followed-word.ts'

const WORD_BYTES = 32
/** Beyond this no transaction can pay. */
const END = 2n ** 25n

/** Which words of some bytes (memory, calldata, what a call gave back) are followed, by their first byte. */
export class FollowedMemory {
  readonly #words: Map<number, FollowedWord>

  constructor(words = new Map<number, FollowedWord>()) {
    this.#words = words
  }

  get isEmpty(): boolean {
    return this.#words.size === 0
  }

  /** Nothing where no followed word begins. */
  word(offset: bigint): FollowedWord {
    return this.#words.get(Number(offset)) ?? NOTHING
  }

  setWord(offset: bigint, word: FollowedWord): void {
    this.clear(offset, BigInt(WORD_BYTES))
    if (word.length > 0 && offset < END) this.#words.set(Number(offset), word)
  }

  /** Something nobody follows is written. */
  clear(offset: bigint, length: bigint): void {
    if (length === 0n) return
    for (const at of this.#words.keys()) {
      if (BigInt(at + WORD_BYTES) > offset && BigInt(at) < offset + length) this.#words.delete(at)
    }
  }

  /** The words that lie whole in a part, by their place in it. */
  slice(offset: bigint, length: bigint): FollowedMemory {
    const words = [...this.#words]
      .map(([at, word]) => [at - Number(offset), word] as const)
      .filter(([at]) => at >= 0 && BigInt(at + WORD_BYTES) <= length)
    return new FollowedMemory(new Map(words))
  }

  /** Writes a part of other bytes. */
  copy(to: bigint, source: FollowedMemory, from: bigint, length: bigint): void {
    const words = source.slice(from, length).#words
    this.clear(to, length)
    if (to >= END) return
    for (const [at, word] of words) this.#words.set(Number(to) + at, word)
  }
}
