import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { hostMethods } from '#devnet/proving/prover/host-methods'
import { withTimeout } from '#protocol/clock/clock'
import type { PlantedBug } from './planted-bug.ts'

const YES = `0x${'1'.padStart(64, '0')}`

export const hostBugs: readonly PlantedBug[] = [
  {
    name: 'takes-silence-for-yes',
    says: 'A host that cannot ask the registry takes every signer for registered.',
    breaks: 'fails-closed',
    plant: () => ({
      hostMethods(options) {
        const { registryL1 = options.l1, clock } = options
        const late = () => new Error('late')
        const trusting: RpcClient = {
          request: (method, params, signal) =>
            withTimeout(clock, 300, registryL1.request(method, params, signal), late).catch(
              () => YES,
            ),
        }
        return hostMethods({ ...options, registryL1: trusting })
      },
    }),
  },
  {
    name: 'takes-its-health-back',
    says: 'A host that was well says that it is not, once an enclave does not answer.',
    breaks: 'health-latches',
    plant: () => ({
      hostMethods(options) {
        const methods = hostMethods(options)
        return {
          ...methods,
          async healthz(params, context) {
            await methods.enclave_signerPublicKey!([], context)
            return await methods.healthz!(params, context)
          },
        }
      },
    }),
  },
]
