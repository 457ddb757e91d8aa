import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { headerReader } from '#devnet/l1/raw-header'
import { rpcL1Source } from '#devnet/l1/rpc-l1-source'
import type { Hash } from '#protocol/types/bytes'
import type { FetchL1Block } from './l1-prefetch.ts'

/** Reads L1 blocks over JSON-RPC; header and receipts are checked against the block's hash. */
export function rpcL1Blocks(endpoint: RpcEndpoint): FetchL1Block {
  const rpc = rpcClientOf(endpoint)
  const readHeader = headerReader(rpc)
  return async (number, signal) => {
    const tag = `0x${number.toString(16)}`
    const block = await rpc.request('eth_getBlockByNumber', [tag, false], signal)
    if (!block) return undefined
    const { hash } = block as { hash: Hash }
    const l1 = rpcL1Source(rpc, { signal, readHeader })
    return { header: await l1.header(hash), receipts: await l1.receipts(hash) }
  }
}
