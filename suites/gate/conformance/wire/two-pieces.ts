import { type Clock, sleep } from '#protocol/clock/clock'
import type { Pieces } from './ask.ts'

/** Between two pieces, so that they are read apart; milliseconds. */
const APART = 50

/** The ways to send a body in two pieces: cut at each place, with its whole length before it or as two chunks. */
export function twoPieces(
  cuts: readonly number[],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): (Pieces & { says: string })[] {
  const pause = () => sleep(clock, APART, signal)
  return cuts.flatMap((cutAt) => [
    { cutAt, pause, says: `cut at ${cutAt}` },
    { cutAt, pause, isChunked: true, says: `in two chunks, cut at ${cutAt}` },
  ])
}
