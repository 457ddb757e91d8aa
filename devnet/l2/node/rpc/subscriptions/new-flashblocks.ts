import { blockJson } from '../json/block-json.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newFlashblocks`: the whole pending block with full transactions, once per flashblock. */
export const newFlashblocks: SubscriptionKind = ({ chain, profile }, _options, emit) =>
  chain.on('flashblock', (block) => emit(blockJson(block, true, profile)))
