import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { StateStore } from '../../../enclave-sim/protocol/types/state.ts'

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
