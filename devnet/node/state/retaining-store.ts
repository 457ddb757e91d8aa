import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { StateStore } from '../../../enclave-sim/protocol/types/state.ts'

/** A store of a chain's states that can be told which of them somebody still needs. */
export interface RetainingStore extends StateStore {
  /**
   * Keeps everything a state consists of, until it is released as often as it was retained.
   * @throws NodeMissing
   */
  retain(stateRoot: Hash): void
  release(stateRoot: Hash): void
}
