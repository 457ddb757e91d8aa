import type { JsonText } from '#devnet/base/json-rpc/json-text'
import type { ReadableBlock } from '../selector/readable-block.ts'
import type { ShownChain } from '../shown-chain.ts'
import { blockJson } from './block-json.ts'
import type { KeptJson } from './kept-json.ts'

/** A block as `blockJson` shows it, made once. */
export function keptBlockJson(
  { json, profile }: ShownChain & { json: KeptJson },
  block: ReadableBlock,
  fullTransactions: boolean,
): JsonText {
  const view = fullTransactions ? 'full' : 'hashes'
  return json.result(block, view, () => blockJson(block, fullTransactions, profile))
}
