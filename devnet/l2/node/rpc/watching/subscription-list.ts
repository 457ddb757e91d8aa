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

/** Two connections may have all that one may have; telling as many takes some 20 ms. */
const MOST = 2_048

/** Every open subscription of a node, whoever holds it. */
export class SubscriptionList {
  /** How many there may be. */
  readonly most: number
  readonly #open = new Set<OpenSubscription>()

  constructor(most = MOST) {
    this.most = most
  }

  get isFull(): boolean {
    return this.#open.size >= this.most
  }

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
