import { timestampMs } from '#protocol/derivation/base-time'
import { nextBlockMs } from '#protocol/upgrades/block-times'
import { rulesAt } from '#protocol/upgrades/schedule'
import type { ShownChain } from '../shown-chain.ts'

type TimedChain = Pick<ShownChain, 'chain' | 'config' | 'blockTime'>

/**
 * When the block after the newest is due: what a cheat made of it, where it is being built.
 * @returns milliseconds since 1970
 */
export function blockToComeMs({ chain, config, blockTime }: TimedChain): bigint {
  const pending = chain.pending()
  if (pending) return timestampMs(pending)
  return nextBlockMs({ blockTime, ...config }, timestampMs(chain.latest()))
}

/** Whether the block after the newest is pre-confirmed while it is built, as all were until Denim. */
export function isPreconfirmed(timed: TimedChain): boolean {
  if (!timed.config.upgrades) return true
  return rulesAt(timed.config.upgrades, blockToComeMs(timed)).hasPreconfirmations
}
