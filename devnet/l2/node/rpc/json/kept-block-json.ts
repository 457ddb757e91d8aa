import type { JsonText } from '#devnet/base/json-rpc/json-text'
import type { NodeRpc } from '../node-rpc.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { blockJson } from './block-json.ts'

/** A block as `blockJson` shows it, made once. */
export function keptBlockJson(
  { json, profile }: NodeRpc,
  block: ReadableBlock,
  fullTransactions: boolean,
): JsonText {
  const view = fullTransactions ? 'full' : 'hashes'
  return json.result(block, view, () => blockJson(block, fullTransactions, profile))
}
