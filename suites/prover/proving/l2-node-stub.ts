import { bytesToHex } from '@ethereumjs/util'
import { numberToHex, parseTransaction } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { proveAccount, readCode } from '#protocol/execution/account-reader'
import { encodeBlock } from '#protocol/execution/block'
import { encodeHeader } from '#protocol/execution/header'
import type { Block } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { Transaction } from '#protocol/types/transaction'

export interface L2NodeStub extends RpcClient {
  /** Method names in order of call. */
  readonly calls: string[]
  /** Number of the block it calls safe. */
  safe: number
  /** Methods it does not have. */
  lacks: readonly string[]
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
  const methods: Record<string, (...params: never[]) => unknown> = {
    debug_getRawHeader: (hash: Hash) => bytesToHex(encodeHeader(byHash(hash).header)),
    debug_getRawBlock: (hash: Hash) => bytesToHex(encodeBlock(byHash(hash))),
    debug_dbGet(key: Hex) {
      // Geth keeps code under 'c' ‖ hash.
      const value = store.get(key.replace(/^0x63(?=.{64}$)/, '0x') as Hash)
      if (!value) throw new RpcRefused('debug_dbGet', { code: -32000, message: 'not found' })
      return bytesToHex(value)
    },
    eth_getBlockByNumber(tag: string) {
      const block = byNumber(tag)
      return block ? { hash: block.hash, number: numberToHex(block.header.number) } : null
    },
    eth_getBlockByHash: (hash: Hash) => ({
      transactions: byHash(hash).transactions.map(transactionJson),
    }),
    eth_getProof(address: Address, slots: Hash[], tag: Hex) {
      const { stateRoot } = found(byNumber(tag)).header
      const { accountProof, storageProof } = proveAccount(store, stateRoot, address, slots)
      return {
        accountProof: accountProof.map(bytesToHex),
        storageProof: storageProof.map(({ proof }) => ({ proof: proof.map(bytesToHex) })),
      }
    },
    eth_getCode: (address: Address, tag: Hex) =>
      bytesToHex(readCode(store, found(byNumber(tag)).header.stateRoot, address)),
  }
  const node: L2NodeStub = {
    calls,
    safe: 0,
    lacks: [],
    async request(method, params) {
      calls.push(method)
      const answer = node.lacks.includes(method) ? undefined : methods[method]
      if (!answer) throw new RpcRefused(method, { code: -32601, message: 'Method not found' })
      return answer(...(params as never[]))
    },
  }
  return node
}

/** As op-geth spells transactions; signed ones are read by viem. */
function transactionJson(transaction: Transaction) {
  if (transaction.type === 0x7e) {
    const { sourceHash, from, to, mint, value, gas, isSystemTransaction, data } = transaction
    return {
      ...{ type: '0x7e', sourceHash, from, to, isSystemTx: isSystemTransaction },
      ...{ mint: numberToHex(mint), value: numberToHex(value), gas: numberToHex(gas) },
      input: bytesToHex(data),
    }
  }
  const { data = '0x', to = null, ...fields } = parseTransaction(bytesToHex(transaction.raw))
  const quantities = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'bigint' || typeof value === 'number' ? [[name, numberToHex(value)]] : [],
  )
  return {
    ...{ r: fields.r, s: fields.s, accessList: [], nonce: '0x0', value: '0x0' },
    ...Object.fromEntries(quantities),
    ...{ type: numberToHex(transaction.type), to, input: data },
  }
}
