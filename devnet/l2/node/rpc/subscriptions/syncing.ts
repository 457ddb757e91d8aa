import type { SubscriptionKind } from './subscription-kind.ts'

/** `syncing`: false once, for this node has always caught up, as reth tells it at the beginning. */
export const syncing: SubscriptionKind = ({ clock }, _options, emit) => {
  // After the answer to eth_subscribe, which names the subscription.
  const timer = clock.after(0, () => emit(false))
  return () => timer.cancel()
}
