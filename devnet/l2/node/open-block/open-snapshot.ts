import type { PendingBlock } from '../chain-view.ts'
import type { BlockPlan } from './block-plan.ts'
import type { PlacedEdit } from './state-edit.ts'

/** A pending block with what another chain needs to go on with it, exactly as it is. */
export interface OpenSnapshot extends PendingBlock {
  readonly plan: BlockPlan
  readonly edits: readonly PlacedEdit[]
}
