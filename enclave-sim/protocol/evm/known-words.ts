import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import type { Hex } from '../types/bytes.ts'

/** Words that are kept: a block of transfers has some hundred. */
const SIZE = 4_096
/** 32-bit numbers of a word. */
const NUMBERS = 8

/**
 * Words of the engine's memory as hex. Most are met again and again (accounts, slots, topics), and those
 * met lately are found by their bits: that takes a tenth of what making the text does, and a text that was
 * looked up before is found in a map without being hashed.
 */
export class KnownWords {
  readonly #bytes: Uint8Array
  readonly #words = new Uint32Array(SIZE * NUMBERS)
  readonly #texts: (Hex | undefined)[] = new Array(SIZE).fill(undefined)

  /** @param length bytes of each: the lowest, the others are zero */
  constructor(length: number) {
    this.#bytes = new Uint8Array(length)
  }

  /** @param at index of the word's first number, the lowest */
  hex(memory: Uint32Array, at: number): Hex {
    const place = placeOf(memory, at)
    const known = this.#texts[place]
    if (known !== undefined && this.#isAt(place, memory, at)) return known
    const words = this.#words
    for (let index = 0; index < NUMBERS; index++) {
      words[place * NUMBERS + index] = memory[at + index]!
    }
    const bytes = this.#bytes
    const last = bytes.length - 1
    for (let index = 0; index <= last; index++) {
      bytes[last - index] = memory[at + (index >> 2)]! >>> ((index & 3) << 3)
    }
    const text = bytesToHex(bytes)
    this.#texts[place] = text
    return text
  }

  #isAt(place: number, memory: Uint32Array, at: number): boolean {
    const words = this.#words
    for (let index = 0; index < NUMBERS; index++) {
      if (words[place * NUMBERS + index] !== memory[at + index]) return false
    }
    return true
  }
}

/** Where a word may stand. Whoever chooses words that stand at one place only has them made each time. */
function placeOf(memory: Uint32Array, at: number): number {
  const mixed =
    memory[at]! ^ Math.imul(memory[at + 1]!, 0x9e3779b1) ^ Math.imul(memory[at + 4]!, 0x85ebca6b)
  return (mixed ^ (mixed >>> 12) ^ (mixed >>> 24)) & (SIZE - 1)
}
