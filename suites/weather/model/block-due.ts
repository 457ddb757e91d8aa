import type { ChainKnown } from './events-of.ts'

type Times = Pick<ChainKnown, 'genesisTime' | 'blockTime' | 'denim'>

/** Milliseconds between blocks since Denim. */
const FAST = 200

/** The first block of 200 ms: the first of the old slots at or after Denim's time. Infinity: it never comes. */
export function firstFast({ genesisTime, blockTime, denim }: Times): number {
  if (denim === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.ceil((denim - genesisTime) / blockTime))
}

/**
 * When a block of L2 is due, by its number alone: no slot is ever left out. It shares no code with the
 * schedule of the protocol.
 * Source: base/base, "200 ms blocks".
 * @returns milliseconds since 1970
 */
export function blockDue(times: Times, number: number): number {
  const { genesisTime, blockTime } = times
  const first = firstFast(times)
  const slow = Math.min(number, first)
  return (genesisTime + slow * blockTime) * 1_000 + (number - slow) * FAST
}
