import type { Hex } from 'viem'
import {
  decodeResponse,
  type EnclaveResponse,
  encodeResponse,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { requestIn } from '../handed-request.ts'
import type { MutantHooks } from '../mutant.ts'

/** The signature of an answer's aggregate; undefined: it is no proof. */
export const aggregateSignature = (response: EnclaveResponse): Hex | undefined =>
  response.kind === 'Prove' && response.result.kind === 'Tee'
    ? response.result.aggregateProposal.signature
    : undefined

/**
 * Puts another signature on aggregates.
 * @param signatureOf is asked for each answer to a request for a proof, errors too; undefined: it stays as it is
 */
export const signAggregates = (
  signatureOf: (response: EnclaveResponse) => Hex | undefined,
): MutantHooks => ({
  enclave: {
    answer: (forward) => async (payload) => {
      const answer = await forward(payload)
      if (!answer || requestIn(payload)?.kind !== 'Prove') return answer
      const response = decodeResponse(answer)
      const signature = signatureOf(response)
      if (!signature || response.kind !== 'Prove' || response.result.kind !== 'Tee') return answer
      const { result } = response
      const aggregateProposal = { ...result.aggregateProposal, signature }
      return encodeResponse({ ...response, result: { ...result, aggregateProposal } })
    },
  },
})
