import type { Mutant } from '../mutant.ts'
import { rewriteParams, rewriteResponse, without } from '../rewrites.ts'
import { served } from './served.ts'

const ATTEST = 'enclave_signerAttestation'
const INVALID_PARAMS = -32602

/** Mutants that ask several enclaves for documents, or answer for them, in a wrong way. */
export const HOST_DOCUMENT_MUTANTS: readonly Mutant[] = [
  served(
    'HOST-RPC-12',
    'first-nonce-for-all',
    'Hands the first nonce to all enclaves (base/base#1480)',
    rewriteParams(ATTEST, ([userData, nonces]) => [
      userData,
      Array.isArray(nonces) ? nonces.map(() => nonces[0]) : nonces,
    ]),
  ),
  served(
    'HOST-RPC-10',
    'failed-as-empty',
    'Answers nothing for bytes where an enclave attests nothing (base/base#1141)',
    rewriteResponse((response, { method }) => {
      const { code } = Object(response.error) as { code?: number }
      if (method !== ATTEST || code === undefined || code === INVALID_PARAMS) return response
      return { ...without(response, 'error'), result: [[], [], []] }
    }),
  ),
]
