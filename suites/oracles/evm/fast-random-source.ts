import type { RandomSource } from '../differential/random-source.ts'

/** Random choices that a seed repeats, for a fuzz that needs millions: mulberry32. */
export function fastRandomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (bound: number) => next() % bound
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  }
}
