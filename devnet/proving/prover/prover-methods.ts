import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { Health } from '#devnet/base/process/supervisor'
import type { ProfileValues } from '#devnet/l2/node/rpc/profile-differences'
import { countRequests } from './count-requests.ts'
import { type EnclaveClient, EnclaveRefusal } from './enclave-client.ts'
import {
  type AttestationParams,
  parseAttestationParams,
  parseProofRequest,
  proofResultJson,
} from './proof-json.ts'
import { type ProofServiceOptions, proofService } from './proof-service.ts'
import { signerHealth } from './signer-health.ts'

export interface ProverMethodsOptions extends ProofServiceOptions {
  version: string
  /** Of what the host needs. */
  health?(): Health
  profile: ProfileValues
}

/** Bytes of user_data and of each nonce (LIM-04, LIM-05). */
const MAX_ATTESTED_BYTES = 512

/** The JSON-RPC methods of a prover host. Errors: codes and messages of ERR-06..15. */
export function proverMethods(options: ProverMethodsOptions): Record<string, RpcMethod> {
  const { enclaves, version, metrics, profile } = options
  const prove = proofService(options)
  const checkHealth = signerHealth(options)
  metrics.healthy.set(options.registry ? 0 : 1)

  const methods: Record<string, RpcMethod> = {
    prover_prove: async (params, { signal }) => {
      return proofResultJson(await prove(parseProofRequest(params, profile), signal))
    },
    enclave_signerPublicKey: async () => {
      const keys = await ofAll(enclaves, profile, (enclave) => enclave.signerPublicKey())
      return keys.map((key) => [...key])
    },
    enclave_signerAttestation: async (params) => {
      const { userData, nonces } = checkLimits(parseAttestationParams(params), enclaves.length)
      const documents = await ofAll(enclaves, profile, (enclave, index) =>
        enclave.signerAttestation({ userData, nonce: nonces?.[index] }),
      )
      return documents.map((document) => [...document])
    },
    healthz: async () => {
      await checkHealth()
      metrics.healthy.set(1)
      // Ready once is ready for good (HOST-HEALTH-03); who is dead is told beside it.
      const { dead = [], warnings = [] } = options.health?.() ?? {}
      return { version, ...(dead.length && { dead }), ...(warnings.length && { warnings }) }
    },
  }
  return countRequests(methods, metrics)
}

/**
 * All or nothing, in configured order (HOST-RPC-04, HOST-RPC-09, HOST-RPC-10). The specification has no
 * code for a failure; -32001 it gives to a request without a valid signer, which is another thing to mend.
 */
async function ofAll<T>(
  enclaves: readonly EnclaveClient[],
  profile: ProfileValues,
  ask: (enclave: EnclaveClient, index: number) => Promise<T>,
): Promise<T[]> {
  try {
    return await Promise.all(enclaves.map(ask))
  } catch (error) {
    const { message } = error as Error
    if (profile.enclaveFailureCode === '-32001') throw new JsonRpcError(-32001, message)
    if (error instanceof EnclaveRefusal) throw new JsonRpcError(-32011, message)
    throw new JsonRpcError(-32010, message)
  }
}

/** Before any vsock traffic, in this order (ERR-06..09, SAFE-06). */
function checkLimits(params: AttestationParams, enclaves: number): AttestationParams {
  const { userData, nonces } = params
  if (userData && userData.length > MAX_ATTESTED_BYTES)
    throw new JsonRpcError(-32602, `user_data exceeds ${MAX_ATTESTED_BYTES}-byte limit`)
  if (nonces && nonces.length !== enclaves)
    throw new JsonRpcError(-32602, `nonces length must equal signer count ${enclaves}`)
  if (nonces?.some((nonce) => nonce.length > MAX_ATTESTED_BYTES))
    throw new JsonRpcError(-32602, `nonce exceeds ${MAX_ATTESTED_BYTES}-byte limit`)
  return params
}
