import type { StateEditor } from '#protocol/execution/executor'

/** A change that no transaction makes. */
export type StateEdit = (state: StateEditor) => Promise<void>

/** One that was made in a block under construction. */
export interface PlacedEdit {
  /** Transactions before it. */
  after: number
  edit: StateEdit
}
