import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { EnclaveClient } from './enclave-client.ts'
import { isValid, signerOf } from './select-enclave.ts'
import type { SignerRegistry } from './signer-registry.ts'

/** Resolves while healthy, rejects with the JSON-RPC error to answer while not. */
export type HealthCheck = () => Promise<void>

/**
 * Gated health: unhealthy until one signer was seen valid on L1, healthy for good from then on, with
 * no further call (HOST-HEALTH-01..04). Without a registry always healthy (HOST-HEALTH-05).
 * @throws JsonRpcError; the check does while unhealthy
 */
export function signerHealth(options: {
  enclaves: readonly EnclaveClient[]
  registry: SignerRegistry | undefined
}): HealthCheck {
  const { enclaves, registry } = options
  let healthy = registry === undefined

  return async () => {
    if (healthy || !registry) return
    const signers = await Promise.allSettled(enclaves.map(signerOf))
    let failure = 'signer is not a valid signer in TEEProverRegistry'
    for (const signer of signers) {
      if (signer.status === 'rejected') continue
      try {
        healthy ||= await isValid(registry, signer.value)
      } catch (error) {
        failure = (error as Error).message
      }
      if (healthy) return
    }
    throw new JsonRpcError(-32000, failure)
  }
}
