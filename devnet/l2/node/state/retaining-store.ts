import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'

/** A store of a chain's states that may drop a state which nobody needs any more. */
export interface RetainingStore extends StateStore {
  /**
   * Keeps a state, with all that it refers to, until it is released as often as it was retained.
   * @throws NodeMissing
   */
  retain(stateRoot: Hash): void
  /** Takes one `retain` back. */
  release(stateRoot: Hash): void
}
