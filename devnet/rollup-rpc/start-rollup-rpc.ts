import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { createJsonRpcServer } from '../json-rpc/create-json-rpc-server.ts'
import type { AccessOptions } from '../json-rpc/guard-access.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { type RollupMethodsOptions, rollupMethods } from './rollup-methods.ts'

export interface RollupRpcOptions extends RollupMethodsOptions {
  listen: { host: string; port: number }
  clock: Clock
  access?: AccessOptions | undefined
}

/** Serves the rollup RPC, as an op-node would beside our L2 node. @throws PortBusy */
export async function startRollupRpc(
  options: RollupRpcOptions,
): Promise<OwnedResource & { readonly url: string }> {
  const { listen, clock, access } = options
  const server = createJsonRpcServer({
    methods: rollupMethods(options),
    clock,
    access,
    service: 'rollup RPC',
  })
  const port = await server.listen(listen)
  return { url: `http://${listen.host}:${port}`, stop: () => server.close() }
}
