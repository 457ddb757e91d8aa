import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { type OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import { urlOf } from '#devnet/base/process/url-of'
import { systemClock } from '#protocol/clock/system-clock'
import type { SimulatedWorld } from './simulated-world.ts'

export interface ServedWorld extends OwnedResource {
  readonly rpcUrl: string
  readonly l1RpcUrl: string
  readonly rollupRpcUrl: string
}

/** Longer than this nobody lets a world go on in one call; milliseconds. */
const LONGEST_RUN = 7 * 86_400_000

/**
 * Serves a simulated world that stands still: L2, L1 and rollup RPC over HTTP and WebSocket, for a look
 * with any client. Past its links: what is faulted there can be looked at all the same.
 *
 * Beside the methods of a node, L2 has `rollbed_worldTime []` → milliseconds since the world was ready,
 * and `rollbed_worldRun [milliseconds]`, which lets it go on for so long → the time then.
 *
 * @throws RollbedError PORT_BUSY
 */
export async function serveWorld(
  world: SimulatedWorld,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<ServedWorld> {
  const resources = new ResourceStack()
  const serve = async (service: string, methods: RpcMethods, wanted: number) => {
    const options = { methods, clock: systemClock, service, webSocket: true }
    const server = createJsonRpcServer(options)
    const bound = await server.listen({ host, port: wanted })
    resources.defer(() => server.close())
    return urlOf(host, bound)
  }
  const time: RpcMethods = {
    rollbed_worldTime: () => world.now(),
    async rollbed_worldRun(params) {
      const [duration] = positional(params)
      const isDuration = typeof duration === 'number' && Number.isInteger(duration) && duration >= 0
      if (!isDuration || duration > LONGEST_RUN) {
        throw invalidParams(`milliseconds: must be a whole number from 0 to ${LONGEST_RUN}`)
      }
      await world.runUntil(world.now() + duration)
      return world.now()
    },
  }
  try {
    const { node, rollup, l1 } = world.methods
    return {
      rpcUrl: await serve('L2 of the simulated world', { ...node, ...time }, port),
      l1RpcUrl: await serve('L1 of the simulated world', l1, port && port + 1),
      rollupRpcUrl: await serve('rollup RPC of the simulated world', rollup, port && port + 2),
      stop: () => resources.stop(),
    }
  } catch (error) {
    await resources.stop()
    throw error
  }
}
