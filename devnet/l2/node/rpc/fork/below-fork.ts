import type { OpenedFork } from '#devnet/base/fork/open-fork'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { toQuantity } from '../json/hex.ts'
import type { NodeRpc } from '../node-rpc.ts'

type Methods = Record<string, RpcMethod>

/** Where a method names its block. */
const BY_BLOCK: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getHeaderByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  debug_traceBlockByNumber: 0,
  trace_block: 0,
}

/** What is looked up by a hash, and where in the answer its block stands. */
const BY_HASH: Readonly<Record<string, 'number' | 'blockNumber'>> = {
  eth_getBlockByHash: 'number',
  eth_getHeaderByHash: 'number',
  eth_getTransactionByHash: 'blockNumber',
  eth_getTransactionReceipt: 'blockNumber',
}

/**
 * What these methods answer of blocks below the first one here: as the forked chain has it, kept once it
 * was asked. Of what that chain did after the forked block nothing is told.
 */
export function belowFork(rpc: NodeRpc, fork: OpenedFork, methods: Methods): Methods {
  const changed: Methods = {}
  for (const [name, index] of Object.entries(BY_BLOCK)) {
    const method = methods[name]
    if (!method) continue
    changed[name] = (params, context) => {
      const number = Array.isArray(params) ? numberIn(params[index]) : undefined
      return number !== undefined && number <= fork.block.number
        ? fork.ask(name, params as unknown[])
        : method(params, context)
    }
  }
  for (const [name, field] of Object.entries(BY_HASH)) {
    const method = methods[name]
    if (!method) continue
    changed[name] = async (params, context) => {
      const here = await method(params, context)
      const hash = Array.isArray(params) ? (params[0] as unknown) : undefined
      if (here !== null || isAwaited(rpc, hash)) return here
      const there = await fork.ask(name, params as unknown[])
      const number = numberIn((Object(there) as Record<string, unknown>)[field])
      return number !== undefined && number <= fork.block.number ? there : null
    }
  }
  const getLogs = methods.eth_getLogs
  if (getLogs) changed.eth_getLogs = logsAcross(fork, getLogs)
  return changed
}

/** It is in the pool: the forked chain need not be asked at each look for its receipt. */
function isAwaited({ chain }: NodeRpc, hash: unknown): boolean {
  return (
    typeof hash === 'string' && chain.pooledTransaction(hash.toLowerCase() as never) !== undefined
  )
}

/** Those of the forked chain first. */
function logsAcross(fork: OpenedFork, getLogs: RpcMethod): RpcMethod {
  return async (params, context) => {
    // It judges the filter and its range, too.
    const here = await getLogs(params, context)
    const filter = Object(Array.isArray(params) ? params[0] : undefined) as Record<string, unknown>
    const from = numberIn(filter.fromBlock)
    if (filter.blockHash || from === undefined || from > fork.block.number) return here
    const to = numberIn(filter.toBlock)
    const last = to !== undefined && to < fork.block.number ? to : fork.block.number
    const below = { ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(last) }
    const there = (await fork.ask('eth_getLogs', [below])) as unknown[]
    return [...there, ...(JSON.parse(JSON.stringify(here)) as unknown[])]
  }
}

/** Of a selector that names a block by its number; tags but `earliest` are of the chain here. */
function numberIn(selector: unknown): bigint | undefined {
  const value =
    typeof selector === 'object' && selector !== null
      ? (selector as { blockNumber?: unknown }).blockNumber
      : selector
  if (typeof value !== 'string') return undefined
  if (value.toLowerCase() === 'earliest') return 0n
  return /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined
}
