import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { readAttribution } from '#devnet/builder-codes/attribution/read-attribution'
import { attributionJson } from '../../attribution/attribution-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { findTransaction } from '../../selector/find-transaction.ts'

/**
 * `rollbed_getAttribution [hash]`: whom the ERC-8021 suffix of a transaction credits and what the
 * suffix costs, from pre-confirmation on. Null without attribution and for an unknown transaction.
 * Rules ATTR-03, -05, -06, -07.
 *
 * @throws JsonRpcError -32602
 */
export const rollbedGetAttribution: NodeMethod = (rpc, params) => {
  const found = findTransaction(rpc, parseHash(positional(params)[0], 'hash'))
  const data = found?.block.transactions[found.index]?.data
  const read = data && readAttribution(data)
  return read ? attributionJson(rpc, data, read) : null
}
