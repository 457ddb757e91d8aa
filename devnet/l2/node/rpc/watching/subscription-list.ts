import type { Hex } from '#protocol/types/bytes'

/** A subscription that some connection holds. */
export interface OpenSubscription {
  id: Hex
  kind: string
  /** As they came; null where there were none. */
  options: unknown
  /** Unix time in milliseconds. */
  since: number
  /** Messages so far. */
  sent: number
}

/** Every open subscription of a node, whoever holds it. */
export class SubscriptionList {
  readonly #open = new Set<OpenSubscription>()

  add(subscription: OpenSubscription): void {
    this.#open.add(subscription)
  }

  remove(subscription: OpenSubscription): void {
    this.#open.delete(subscription)
  }

  all(): OpenSubscription[] {
    return [...this.#open]
  }
}
