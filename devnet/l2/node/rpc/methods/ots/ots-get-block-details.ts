import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { blockJson } from '../../json/block-json.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'
import { parsePlainBlock } from './parse-plain-number.ts'

/** Nothing is issued on an L2. */
const ISSUANCE = { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' }

/**
 * `ots_getBlockDetails [block]`: a block without its transactions and bloom, with how many
 * transactions it has and what their senders paid in fees, the L1 fee included.
 * @throws JsonRpcError -32602, -32001
 */
export const otsGetBlockDetails: NodeMethod = (rpc, params) =>
  blockDetails(rpc, requirePublishedBlock(rpc, parsePlainBlock(positional(params)[0], 'block')))

/** `ots_getBlockDetailsByHash [hash]`: the same. @throws JsonRpcError -32602, -32001 */
export const otsGetBlockDetailsByHash: NodeMethod = (rpc, params) =>
  blockDetails(rpc, requirePublishedBlock(rpc, { hash: parseHash(positional(params)[0], 'hash') }))

function blockDetails({ profile }: NodeRpc, block: ReadableBlock) {
  const { transactions, ...fields } = blockJson(block, false, profile)
  let totalFees = 0n
  for (const { gasUsed, effectiveGasPrice, l1 } of block.receipts) {
    totalFees += gasUsed * effectiveGasPrice + (l1?.l1Fee ?? 0n)
  }
  return {
    block: { ...fields, logsBloom: null, transactionCount: transactions.length },
    issuance: ISSUANCE,
    totalFees: toQuantity(totalFees),
  }
}
