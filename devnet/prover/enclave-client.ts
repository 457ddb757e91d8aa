import type { Preimage } from '../../enclave-sim/oracle/preimage-oracle.ts'
import type { TeeProof } from '../../enclave-sim/proof/types.ts'

/** One enclave as the host sees it. Every call opens one connection and makes one request. */
export interface EnclaveClient {
  readonly cid: number
  /** 65 bytes, uncompressed (HOST-RPC-05). @throws EnclaveFailure */
  signerPublicKey(): Promise<Uint8Array>
  /** A COSE_Sign1 document. @throws EnclaveFailure */
  signerAttestation(request: {
    userData: Uint8Array | undefined
    nonce: Uint8Array | undefined
  }): Promise<Uint8Array>
  /** Has no timer of its own: the signal ends it. @throws EnclaveFailure */
  prove(preimages: Preimage[], signal: AbortSignal): Promise<TeeProof>
}
