import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { type EnclaveChange, enclaveBetween } from '#mocks/enclave/enclave-between'
import { workingModule } from '#mocks/enclave/scripted-security-module'
import type { NsmRequest, NsmResponse } from '#suites/gate/conformance/spec/nsm-messages'
import { type Mutant, mutantsOf } from '../mutant.ts'

const PCR_SIZE = 48

const booted = mutantsOf('enclave', 'enclaveCommand')
const meddling = (rule: string, name: string, says: string, makeChange: () => EnclaveChange) =>
  booted(rule, name, says, () => ({ boot: enclaveBetween(() => makeChange()) }))

/** Takes something else for some answers of the security module. */
const reading = (
  rule: string,
  name: string,
  says: string,
  change: (response: NsmResponse, request: NsmRequest) => NsmResponse,
) =>
  meddling(rule, name, says, () => ({
    module: (forward) => async (request, session) =>
      change(await forward(request, session), request),
  }))

const own = workingModule(new Uint8Array(PCR_SIZE), randomBytes(256))
const ownAnswer = (request: NsmRequest) => own(request, 0) as NsmResponse

/** Mutants that take some answers of the security module for others, or print what they hear. */
export const MODULE_ANSWER_MUTANTS: readonly Mutant[] = [
  reading('ENC-START-03', 'no-pcr0-taken', 'Takes an empty PCR0 for zeros', (response) =>
    response.kind === 'DescribePCR' && response.data.length === 0
      ? { ...response, data: new Uint8Array(PCR_SIZE) }
      : response,
  ),
  reading('ENC-START-03', 'long-pcr0-cut', 'Cuts a long PCR0', (response) =>
    response.kind === 'DescribePCR'
      ? { ...response, data: response.data.slice(0, PCR_SIZE) }
      : response,
  ),
  reading(
    'ENC-START-05',
    'own-random-on-error',
    'Takes other randomness where the module has none',
    (response, request) =>
      response.kind === 'Error' && request.kind === 'GetRandom' ? ownAnswer(request) : response,
  ),
  reading(
    'ENC-START-02',
    'zeros-on-error',
    'Takes zeros for PCR0 where the module fails',
    (response, request) =>
      response.kind === 'Error' && request.kind === 'DescribePCR' ? ownAnswer(request) : response,
  ),
  reading('ATT-01', 'document-cut', 'Cuts a long document', (response) =>
    response.kind === 'Attestation'
      ? { ...response, document: response.document.slice(0, 4_096) }
      : response,
  ),
  reading('ATT-01', 'document-with-zero', 'Ends a document with a zero', (response) =>
    response.kind === 'Attestation'
      ? { ...response, document: Uint8Array.of(...response.document, 0) }
      : response,
  ),
  meddling('ENC-START-06', 'public-key-printed', 'Prints its public key', () => {
    let publicKey = ''
    return {
      output: (text) => `${text}key ${publicKey}\n`,
      module: (forward) => async (request, session) => {
        const response = await forward(request, session)
        if (response.kind === 'GetRandom')
          publicKey ||= privateKeyToAccount(
            bytesToHex(response.random.slice(0, 32)) as `0x${string}`,
          ).publicKey
        return response
      },
    }
  }),
  meddling(
    'SAFE-07',
    'session-data-kept',
    'Binds the user data of before where there is none',
    () => {
      let before: Uint8Array | null = null
      return {
        module: (forward) => (request, session) => {
          if (request.kind !== 'Attestation') return forward(request, session)
          before = request.userData ?? before
          return forward({ ...request, userData: before }, session)
        },
      }
    },
  ),
]
