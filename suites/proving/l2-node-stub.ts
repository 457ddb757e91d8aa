import { type RpcClient, RpcRefused } from '../../devnet/prover/http-rpc-client.ts'
import { encodeBlock } from '../../enclave-sim/execution/block.ts'
import { encodeHeader } from '../../enclave-sim/execution/header.ts'
import type { Block, Hash, StateStore } from '../../enclave-sim/execution/types.ts'

export interface L2NodeStub extends RpcClient {
  /** Method names in order of call. */
  readonly calls: string[]
}

/** The three debug methods a witness is collected with, over blocks and a state store. */
export function l2NodeStub(blocks: readonly Block[], store: StateStore): L2NodeStub {
  const calls: string[] = []
  const toHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const
  const blockOf = (hash: unknown) => {
    const block = blocks.find((candidate) => candidate.hash === hash)
    if (!block) throw new RpcRefused('debug', { code: -32000, message: 'not found' })
    return block
  }
  return {
    calls,
    async request(method, [key]) {
      calls.push(method)
      if (method === 'debug_getRawHeader') return toHex(encodeHeader(blockOf(key).header))
      if (method === 'debug_getRawBlock') return toHex(encodeBlock(blockOf(key)))
      // Geth keeps code under 'c' ‖ hash.
      const hash = String(key).replace(/^0x63(?=.{64}$)/, '0x') as Hash
      const value = method === 'debug_dbGet' ? store.get(hash) : undefined
      if (!value) throw new RpcRefused(method, { code: -32000, message: 'not found' })
      return toHex(value)
    },
  }
}
