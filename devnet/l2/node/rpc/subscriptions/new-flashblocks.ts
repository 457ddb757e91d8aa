import { keptBlockJson } from '../json/kept-block-json.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newFlashblocks`: the whole pending block with full transactions, once per flashblock. */
export const newFlashblocks: SubscriptionKind = (rpc, _options, emit, on) =>
  on('flashblock', (block) => emit(keptBlockJson(rpc, block, true)))
