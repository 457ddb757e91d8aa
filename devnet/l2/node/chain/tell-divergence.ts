import type { Logger } from 'pino'
import type { ChainView } from '../chain-view.ts'

/**
 * Says in the log that the chain does not follow from L1 any more, in one sentence and once: a suite that
 * goes back to snapshots leaves L1 with each of its tests.
 */
export function tellDivergence(
  chain: Pick<ChainView, 'divergence' | 'on'>,
  logger: Logger | undefined,
): void {
  let hasSpoken = false
  const speak = () => {
    const divergence = chain.divergence()
    if (hasSpoken || !divergence) return
    hasSpoken = true
    logger?.warn(
      divergence,
      'the chain left L1: no later block becomes safe, is proven or withdrawn, and anvil_metadata names the way out',
    )
  }
  speak()
  chain.on('diverged', speak)
}
