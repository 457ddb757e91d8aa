import { bytesToHex } from '@ethereumjs/util'
import { numberToHex } from 'viem'
import { type RpcClient, RpcRefused } from '../../devnet/json-rpc/http-rpc-client.ts'
import { encodeBlock } from '../../enclave-sim/execution/block.ts'
import { encodeHeader } from '../../enclave-sim/execution/header.ts'
import type { Block, Hash, StateStore } from '../../enclave-sim/execution/types.ts'

export interface L2NodeStub extends RpcClient {
  /** Method names in order of call. */
  readonly calls: string[]
  /** Number of the block it calls safe. */
  safe: number
}

/** What a witness and a request are made from, over blocks and a state store. */
export function l2NodeStub(blocks: readonly Block[], store: StateStore): L2NodeStub {
  const calls: string[] = []
  const found = (block: Block | undefined) => {
    if (!block) throw new RpcRefused('debug', { code: -32000, message: 'not found' })
    return block
  }
  const byHash = (hash: unknown) => found(blocks.find((block) => block.hash === hash))
  const byNumber = (tag: unknown) => {
    const number = tag === 'latest' ? blocks.length - 1 : tag === 'safe' ? node.safe : Number(tag)
    return blocks[number]
  }
  const methods: Record<string, (key: unknown) => unknown> = {
    debug_getRawHeader: (hash) => bytesToHex(encodeHeader(byHash(hash).header)),
    debug_getRawBlock: (hash) => bytesToHex(encodeBlock(byHash(hash))),
    debug_dbGet(key) {
      // Geth keeps code under 'c' ‖ hash.
      const value = store.get(String(key).replace(/^0x63(?=.{64}$)/, '0x') as Hash)
      if (!value) throw new RpcRefused('debug_dbGet', { code: -32000, message: 'not found' })
      return bytesToHex(value)
    },
    eth_getBlockByNumber(tag) {
      const block = byNumber(tag)
      return block ? { hash: block.hash, number: numberToHex(block.header.number) } : null
    },
  }
  const node: L2NodeStub = {
    calls,
    safe: 0,
    async request(method, [key]) {
      calls.push(method)
      return methods[method]!(key)
    },
  }
  return node
}
