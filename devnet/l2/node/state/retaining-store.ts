import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { DumpedValue } from './state-dump.ts'

/** A store of a chain's states that may drop a state which nobody needs any more. */
export interface RetainingStore extends StateStore {
  /**
   * Keeps a state, with all that it refers to, until it is released as often as it was retained.
   * @throws NodeMissing
   */
  retain(stateRoot: Hash): void
  /**
   * Takes in values that belong to no state of the chain yet, and keeps each until it is released. What they
   * refer to is there, or stands before them: so a large state comes bit by bit, and retaining it at its
   * end costs nothing.
   * @throws NodeMissing
   */
  admit(values: readonly DumpedValue[]): void
  /** Takes one `retain` back, or the admission of one value. */
  release(stateRoot: Hash): void
}
