import { createHash, randomBytes } from 'node:crypto'

/** The only source of randomness. */
export interface Rng {
  bytes(count: number): Uint8Array
}

/** The operating system's generator. */
export const systemRng: Rng = { bytes: (count) => new Uint8Array(randomBytes(count)) }

/**
 * Repeatable bytes: SHA-256 in counter mode over the seed. For tests and dev keys, never for secrets.
 * @example
 * seededRng('dev keys').bytes(2).length // 2
 */
export function seededRng(seed: string | number): Rng {
  let counter = 0
  let pool = Buffer.alloc(0)
  return {
    bytes(count) {
      const blocks = [pool]
      for (let length = pool.length; length < count; length += blocks.at(-1)!.length)
        blocks.push(createHash('sha256').update(`rollbed:${seed}:${counter++}`).digest())
      if (blocks.length > 1) pool = Buffer.concat(blocks)
      const out = new Uint8Array(pool.subarray(0, count))
      pool = pool.subarray(count)
      return out
    },
  }
}

/**
 * A uniform integer in [0, bound).
 * @example
 * const die = 1 + randomInt(rng, 6)
 */
export function randomInt(rng: Rng, bound: number): number {
  const view = new DataView(rng.bytes(8).buffer)
  return Number(view.getBigUint64(0) % BigInt(bound))
}
