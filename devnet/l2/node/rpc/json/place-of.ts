import { isSealed } from '../../chain-view.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'

/**
 * Tells apart where a receipt or log stands: it is the same object in the snapshots of a block and in
 * the block, but is shown with another block hash.
 */
export function placeOf(block: ReadableBlock): string {
  return isSealed(block) ? block.hash : 'pending'
}
