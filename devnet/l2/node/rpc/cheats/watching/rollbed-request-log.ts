import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `rollbed_requestLog [afterId?]` → the newest calls that this node answered, oldest first, 500 at most:
 * `{id, at, method, params, transport, took, error, callerLeft}`. A WebSocket connection that reads the
 * log is left out of it from then on.
 *
 * @throws JsonRpcError -32602
 * @example
 * await client.request({ method: 'rollbed_requestLog', params: [] })
 */
export const rollbedRequestLog: CheatMethod = ({ requests }, params, { connection }) => {
  const [after = 0] = positional(params)
  if (connection) requests.leaveOut(connection)
  const id = typeof after === 'number' ? after : Number(parseQuantity(after, 'afterId'))
  return requests.after(id)
}
