import {
  decodeRequest,
  type EnclaveRequest,
  encodeRequest,
} from '#suites/gate/conformance/spec/enclave-payloads'
import type { MutantHooks } from './mutant.ts'

/** The request of a payload; undefined where it is none. */
export function requestIn(payload: Uint8Array): EnclaveRequest | undefined {
  try {
    return decodeRequest(payload)
  } catch {
    return undefined
  }
}

/** An enclave that is handed another request. */
export const handed = (change: (request: EnclaveRequest) => EnclaveRequest) => (): MutantHooks => ({
  enclave: {
    answer: (forward) => async (payload) => {
      const request = requestIn(payload)
      return forward(request ? encodeRequest(change(request)) : payload)
    },
  },
})
