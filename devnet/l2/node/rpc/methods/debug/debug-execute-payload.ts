import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { requireBlockByHash } from '../../selector/find-block.ts'
import { findWitness } from './debug-execution-witness.ts'
import { parsePayloadAttributes } from './parse-payload-attributes.ts'

/**
 * `debug_executePayload [parentHash, attributes]`: the witness of the block that these payload
 * attributes make on top of a sealed block; transactions that may not stand in it are left out, and
 * none come from the pool. As op-reth has it, for proof programs.
 *
 * @throws JsonRpcError -32602, -32001 unknown parent
 */
export const debugExecutePayload: NodeMethod = (rpc, params, { signal }) => {
  const [hash, attributesParam] = positional(params)
  const parentHash = parseHash(hash, 'parentHash')
  const { transactions, ...attributes } = parsePayloadAttributes(attributesParam, rpc.config.fork)
  const parent = requireBlockByHash(rpc, parentHash).header
  return findWitness(rpc, { parent, parentHash, attributes, transactions }, signal)
}
