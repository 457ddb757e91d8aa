import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { hostPart } from '#devnet/rollup/parts/host-part'
import { withTimeout } from '#protocol/clock/clock'
import type { PlantedBug } from './planted-bug.ts'

const YES = `0x${'1'.padStart(64, '0')}`

export const hostBugs: readonly PlantedBug[] = [
  {
    name: 'takes-silence-for-yes',
    says: 'A host that cannot ask the registry takes every signer for registered.',
    breaks: 'fails-closed',
    plant: () => ({
      host: {
        ...hostPart,
        start(context, given) {
          const registry = rpcClientOf(context.links['host-registry'])
          const late = () => new Error('late')
          const trusting: RpcClient = {
            request: (method, params, signal) =>
              withTimeout(context.clock, 300, registry.request(method, params, signal), late).catch(
                () => YES,
              ),
          }
          const links = { ...context.links, 'host-registry': trusting }
          return hostPart.start({ ...context, links }, given)
        },
      },
    }),
  },
  {
    name: 'takes-its-health-back',
    says: 'A host that was well says that it is not, once an enclave does not answer.',
    breaks: 'health-latches',
    plant: () => ({
      host: {
        ...hostPart,
        start(context, given) {
          const methods = hostPart.start(context, given)
          return {
            ...methods,
            async healthz(params, context) {
              await methods.enclave_signerPublicKey!([], context)
              return await methods.healthz!(params, context)
            },
          }
        },
      },
    }),
  },
]
