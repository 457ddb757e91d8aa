import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { JsonText } from '#devnet/base/json-rpc/json-text'
import type { ChainView } from '#devnet/l2/node/chain-view'
import { nodeRpcPart } from '#devnet/rollup/parts/node-rpc-part'
import type { WorldParts } from '#devnet/rollup/world/world-parts'

/** A node that has its own idea of what one method answers. */
export const answering = (
  name: string,
  other: (methods: Readonly<Record<string, RpcMethod>>, chain: ChainView) => RpcMethod,
): Partial<WorldParts> => ({
  nodeRpc: {
    ...nodeRpcPart,
    async start(...[context, given]: Parameters<typeof nodeRpcPart.start>) {
      const faces = await nodeRpcPart.start(context, given)
      const method = other(faces.methods, given.chain)
      return { ...faces, methods: { ...faces.methods, [name]: method } }
    },
  },
})

/** What is sent may be text already. */
export const readJson = (result: unknown): unknown =>
  result instanceof JsonText ? JSON.parse(result.text) : result
