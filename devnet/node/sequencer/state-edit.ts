import type { StateEditor } from '../../../enclave-sim/protocol/execution/executor.ts'

/** A change that no transaction makes. */
export type StateEdit = (state: StateEditor) => Promise<void>

/** One that was made in a block under construction. */
export interface PlacedEdit {
  /** Transactions before it. */
  after: number
  edit: StateEdit
}
