import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'

/** For the state of a block that was dropped: geth's code and words, and what is kept. */
export function prunedHistory(number: bigint): JsonRpcError {
  const data = `The state of block ${number} is no longer kept, only the block; --history-blocks and --history-memory keep more.`
  return new JsonRpcError(4444, 'pruned history unavailable', data)
}

/** For a state that went while it was read. */
export function stateUnavailable(): JsonRpcError {
  const data = 'It belongs to a block, or a flashblock, that is no longer kept.'
  return new JsonRpcError(-32000, 'state is not available', data)
}
