import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcConnection, RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import { methodsFrom } from '#devnet/base/json-rpc/methods-from'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Branches } from '../branches/branches.ts'

/**
 * Methods that hold their branch awake: by calls under way, and by connections until they close.
 * @throws JsonRpcError -32000 where the branch cannot be opened; its methods do
 */
export function inUse(
  branches: Pick<Branches, 'use'>,
  id: string,
  methods: RpcMethods,
): RpcMethods {
  const connections = new WeakSet<RpcConnection>()
  const use = () =>
    branches.use(id).catch((error: unknown) => {
      if (!(error instanceof RollbedError)) throw error
      throw new JsonRpcError(-32000, error.message, error.hint)
    })
  return methodsFrom(methods, (method) => async (params, context) => {
    const { connection, signal } = context
    const leave = await use()
    try {
      if (connection && !connections.has(connection)) {
        connections.add(connection)
        const leaveAtClose = await use()
        // One that closed meanwhile hears of no close any more.
        if (signal.aborted) leaveAtClose()
        else connection.onClose(leaveAtClose)
      }
      // Nor would what it subscribes to ever end.
      signal.throwIfAborted()
      return await method(params, context)
    } finally {
      leave()
    }
  })
}
