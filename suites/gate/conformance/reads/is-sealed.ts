import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** Whether a transaction is in a sealed block: the block that its receipt names can be read. */
export async function isSealed(rpc: JsonRpcClient, hash: Hex): Promise<boolean> {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [hash])).body.result
  const { blockHash } = (receipt ?? {}) as { blockHash?: string }
  if (!blockHash || /^0x0*$/.test(blockHash)) return false
  return (await rpc.call('eth_getBlockByHash', [blockHash, false])).body.result !== null
}
