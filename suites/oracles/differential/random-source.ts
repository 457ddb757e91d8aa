import { type Rng, randomInt, seededRng } from '#protocol/random/rng'

/** Random choices that a seed repeats. */
export interface RandomSource {
  /** Uniform in [0, bound). */
  below(bound: number): number
  /** True once in `n` times. */
  oneIn(n: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(count: number): Uint8Array
}

export function randomSource(seed: number): RandomSource {
  const rng: Rng = seededRng(seed)
  const below = (bound: number) => randomInt(rng, bound)
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => rng.bytes(count),
  }
}
