import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'

/**
 * For whoever waits for what a worker thread runs.
 * @param why without a full stop
 */
export const threadDied = (why: string): JsonRpcError =>
  new JsonRpcError(-32603, `The worker thread that runs this call has died: ${why}.`)
