import type { BaseLogger } from 'pino'
import { type Clock, withTimeout } from '../../enclave-sim/clock/clock.ts'
import type { Preimage } from '../../enclave-sim/oracle/preimage-oracle.ts'
import type { ProofRequest } from '../../enclave-sim/proof/types.ts'
import { JsonRpcError } from '../json-rpc/json-rpc-error.ts'
import type { RpcMethod } from '../json-rpc/json-rpc-server.ts'
import type { EnclaveClient } from './enclave-client.ts'
import {
  type AttestationParams,
  parseAttestationParams,
  parseProofRequest,
  proofResultJson,
} from './proof-json.ts'
import { ProofQueue } from './proof-queue.ts'
import { selectEnclave } from './select-enclave.ts'
import { signerHealth } from './signer-health.ts'
import type { SignerRegistry } from './signer-registry.ts'

export interface ProverMethodsOptions {
  /** In configured CID order. */
  enclaves: readonly EnclaveClient[]
  registry: SignerRegistry | undefined
  /** Collects the preimages of a range; fails when the claim is wrong. */
  buildWitness(request: ProofRequest, signal: AbortSignal): Promise<Preimage[]>
  /** Seconds for one prover_prove: waiting, witness and enclave together (decisions 70, 71). */
  proofTimeout: number
  clock: Clock
  logger: BaseLogger
  version: string
}

/** Bytes of user_data and of each nonce (LIM-04, LIM-05). */
const MAX_ATTESTED_BYTES = 512

/** The JSON-RPC methods of a prover host. Errors: codes and messages of ERR-06..15. */
export function proverMethods(options: ProverMethodsOptions): Record<string, RpcMethod> {
  const { enclaves, version } = options
  const prove = prover(options)
  const checkHealth = signerHealth(options)

  return {
    prover_prove: async (params, { signal }) => {
      return proofResultJson(await prove(parseProofRequest(params), signal))
    },
    enclave_signerPublicKey: async () => {
      const keys = await ofAll(enclaves, (enclave) => enclave.signerPublicKey())
      return keys.map((key) => [...key])
    },
    enclave_signerAttestation: async (params) => {
      const { userData, nonces } = checkLimits(parseAttestationParams(params), enclaves.length)
      const documents = await ofAll(enclaves, (enclave, index) =>
        enclave.signerAttestation({ userData, nonce: nonces?.[index] }),
      )
      return documents.map((document) => [...document])
    },
    healthz: async () => {
      await checkHealth()
      return { version }
    },
  }
}

function prover(options: ProverMethodsOptions) {
  const { enclaves, registry, buildWitness, proofTimeout, clock, logger } = options
  const queues = new Map(enclaves.map((enclave) => [enclave, new ProofQueue()]))

  return async (request: ProofRequest, callerLeft: AbortSignal) => {
    const enclave = await selectEnclave({ enclaves, registry, logger })
    const log = { cid: enclave.cid, block: request.claimedL2BlockNumber.toString() }
    const expiry = new AbortController()
    const signal = AbortSignal.any([callerLeft, expiry.signal])

    const proof = queues.get(enclave)!.run(async () => {
      logger.info(log, 'building witness')
      const witness = await buildWitness(request, signal).catch((error: Error) => {
        throw new JsonRpcError(-32000, `witness generation failed: ${error.message}`)
      })
      logger.info({ ...log, preimages: witness.length }, 'proving')
      return await enclave.prove(witness, signal).catch((error: Error) => {
        throw new JsonRpcError(-32000, `proving failed: ${error.message}`)
      })
    }, signal)

    return await withTimeout(clock, proofTimeout * 1000, proof, () => {
      const expired = new ProofTimeout(proofTimeout, request.claimedL2BlockNumber)
      expiry.abort(expired)
      return expired
    })
  }
}

/** All or nothing, in configured order (HOST-RPC-04, HOST-RPC-09, HOST-RPC-10). */
async function ofAll<T>(
  enclaves: readonly EnclaveClient[],
  ask: (enclave: EnclaveClient, index: number) => Promise<T>,
): Promise<T[]> {
  try {
    return await Promise.all(enclaves.map(ask))
  } catch (error) {
    throw new JsonRpcError(-32001, (error as Error).message)
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

/** ERR-12, ERR-13. */
export class ProofTimeout extends JsonRpcError {
  constructor(seconds: number, block: bigint) {
    super(-32000, `proof request timed out after ${seconds}s for L2 block ${block}`)
  }
}
