import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'

/** A call of a program, as far as a rehearsal looks at it. */
export type Called = Pick<LoggedRequest, 'at' | 'method' | 'params'>

const LOOKS = new Set(['eth_blockNumber', 'eth_getBlockByNumber', 'eth_getFilterChanges'])

/** Whether it looks at what is newest. */
export function isLook({ method, params }: Called): boolean {
  if (!LOOKS.has(method)) return false
  return method !== 'eth_getBlockByNumber' || listOf(params)[0] === 'latest'
}

/** Whether a program is told of each block. */
export function hearsHeads(calls: readonly Called[]): boolean {
  return calls.some(
    ({ method, params }) => method === 'eth_subscribe' && listOf(params)[0] === 'newHeads',
  )
}

/** What was too long to be kept has nothing to say. */
export function listOf(params: RpcParams | null): unknown[] {
  return Array.isArray(params) ? params : Object.values(params ?? {})
}

/** The upper one of two in the middle; undefined of nothing. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
