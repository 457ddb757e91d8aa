import { JsonRpcError } from '../../json-rpc/json-rpc-error.ts'

/** For blocks and states that were dropped: geth's code and words. */
export function prunedHistory(): JsonRpcError {
  return new JsonRpcError(4444, 'pruned history unavailable')
}

/** For a state that went while it was read. */
export function stateUnavailable(): JsonRpcError {
  const data = 'It belongs to a block, or a flashblock, that is no longer kept.'
  return new JsonRpcError(-32000, 'state is not available', data)
}
