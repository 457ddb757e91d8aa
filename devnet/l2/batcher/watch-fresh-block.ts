import type { Clock } from '#protocol/clock/clock'
import type { ChainView } from '../node/chain-view.ts'

export interface FreshBlock {
  /** Milliseconds for which the newest block still counts as fresh; 0 when it does not. */
  remaining(): number
  stop(): void
}

/**
 * Tells whether the newest block was sealed only just now. Whoever replaces the newest block does so as
 * soon as it is there: as long as no batch with it went out, L1 need not know of it.
 * @param time milliseconds for which a block is fresh
 */
export function watchFreshBlock(
  chain: Pick<ChainView, 'on'>,
  clock: Clock,
  time: number,
): FreshBlock {
  let until = Number.NEGATIVE_INFINITY
  const stop = chain.on('sealed', () => {
    until = clock.now() + time
  })
  return { remaining: () => Math.max(0, until - clock.now()), stop }
}
