import { invalidParams } from '../json-rpc-error.ts'
import type { RpcParams } from '../json-rpc-server.ts'

/**
 * Params as the list they must be (RPC-ENV-06). What lies beyond a method's own is ignored.
 * @throws JsonRpcError -32602 when they came by name.
 */
export function positional(params: RpcParams): readonly unknown[] {
  if (params === undefined) return []
  if (isList(params)) return params
  throw invalidParams('params: must be an array, read by position')
}

function isList(params: RpcParams): params is readonly unknown[] {
  return Array.isArray(params)
}
