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
    name: 'remembers-who-was-registered',
    says: 'A host remembers which signers the registry has once said to be registered.',
    breaks: 'proofs-are-of-the-chain',
    plant: () => ({
      host: {
        ...hostPart,
        start(context, given) {
          const registry = rpcClientOf(context.links['host-registry'])
          const registered = new Set<string>()
          const remembering: RpcClient = {
            async request(method, params, signal) {
              const question = JSON.stringify(params)
              if (registered.has(question)) return YES
              const answer = await registry.request(method, params, signal)
              if (answer === YES) registered.add(question)
              return answer
            },
          }
          const links = { ...context.links, 'host-registry': remembering }
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
