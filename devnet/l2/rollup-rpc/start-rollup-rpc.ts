import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { AccessOptions } from '#devnet/base/json-rpc/guard-access'
import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { urlOf } from '#devnet/base/process/url-of'
import { type Need, needParts } from '#devnet/base/supervisor/need-parts'
import type { Clock } from '#protocol/clock/clock'

export interface RollupRpcOptions {
  /** `rollupMethods` of a chain. */
  methods: RpcMethods
  listen: { host: string; port: number }
  clock: Clock
  access?: AccessOptions | undefined
  /** Knows whether the devnet around it is well. */
  supervisor?: Supervisor | undefined
}

const NEEDS: readonly Need[] = [{ methods: /^optimism_(syncStatus|outputAtBlock)$/, allOf: ['L1'] }]

/** Serves the rollup RPC, as an op-node would beside our L2 node. @throws PortBusy */
export async function startRollupRpc(
  options: RollupRpcOptions,
): Promise<OwnedResource & { readonly url: string }> {
  const { methods, listen, clock, access, supervisor } = options
  const server = createJsonRpcServer({
    methods: supervisor ? needParts(methods, NEEDS, supervisor) : methods,
    health: supervisor && (() => supervisor.health()),
    clock,
    access,
    service: 'rollup RPC',
  })
  const port = await server.listen(listen)
  return { url: urlOf(listen.host, port), stop: () => server.close() }
}
