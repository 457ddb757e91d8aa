import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { type RollupMethodsOptions, rollupMethods } from '#devnet/l2/rollup-rpc/rollup-methods'
import type { Part } from './part.ts'

/** What a rollup node is asked; it reads L1 over the node's own link. */
export const rollupRpcPart: Part<'node-l1', Omit<RollupMethodsOptions, 'l1'>, RpcMethods> = {
  name: 'node',
  links: ['node-l1'],
  start: ({ links }, given) => rollupMethods({ ...given, l1: rpcClientOf(links['node-l1']) }),
}
