import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { serveSubscribers } from '#devnet/rollup/world/serve-subscribers'
import type { WorldParts } from '#devnet/rollup/world/world-parts'

/** A node that leaves out each of so many messages of one kind of subscription. */
export const leavingOut = (kind: string, each: number): Partial<WorldParts> => ({
  serveSubscribers(port, process, options) {
    const eth_subscribe: RpcMethod = (params, context) => {
      const { connection } = context
      const [asked] = params as unknown[]
      if (!connection || asked !== kind) return options.methods.eth_subscribe!(params, context)
      let messages = 0
      const forgetful = {
        ...connection,
        notify(method: string, params: unknown) {
          messages += 1
          if (messages % each !== 0) connection.notify(method, params)
        },
      }
      return options.methods.eth_subscribe!(params, { ...context, connection: forgetful })
    }
    const methods = { ...options.methods, eth_subscribe }
    serveSubscribers(port, process, { ...options, methods })
  },
})
