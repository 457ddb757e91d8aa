import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseRequiredStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/**
 * `eth_getStorageAt [address, position, block]`: a slot as 32 bytes, zero when never written. Rules
 * RPC-STOR-*.
 *
 * @throws JsonRpcError -32602; -32001 for a block that is not there
 */
export const ethGetStorageAt: NodeMethod = (rpc, params) => {
  const [addressParam, position, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const slot = parseStorageWord(position, 'position')
  const selector = parseRequiredStateSelector(block, 'block', rpc.profile)
  const isStale = selector === 'pending' && rpc.profile.pendingStorage === 'latest'
  const { header } = requireBlock(rpc, isStale ? 'latest' : selector)
  return rpc.chain.storage(header.stateRoot, address, slot)
}
