import {
  decodeRequest,
  decodeResponse,
  type EnclaveRequest,
  encodeResponse,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { handed, requestIn } from '../handed-request.ts'
import { type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { RARE } from '../parts/each-seventh.ts'

const enclave = mutantsOf('enclave', 'enclave')

type Binding = Pick<Extract<EnclaveRequest, { kind: 'SignerAttestation' }>, 'userData' | 'nonce'>

/** Bytes from which on bincode writes a length behind 251. */
const LONG = 251
const REFUSAL = encodeResponse({ kind: 'Error', message: 'cannot be read' })

/** An enclave that cannot read what is such. */
const blindTo = (isUnread: (request: EnclaveRequest) => boolean) => (): MutantHooks => ({
  enclave: {
    answer: (forward) => async (payload) => {
      const request = requestIn(payload)
      return request && isUnread(request) ? REFUSAL : forward(payload)
    },
  },
})

const lengthsOf = (request: EnclaveRequest): number[] =>
  request.kind === 'SignerAttestation'
    ? [request.userData?.length ?? 0, request.nonce?.length ?? 0]
    : []

const bound = (change: (of: Binding) => Partial<Binding>) =>
  handed((request) =>
    request.kind === 'SignerAttestation' ? { ...request, ...change(request) } : request,
  )

const closedWhileProving = (): MutantHooks => {
  let proving = 0
  return {
    enclave: {
      answer: (forward) => async (payload) => {
        const isProof = payload[0] === 0
        if (!isProof && proving > 0) return REFUSAL
        proving += Number(isProof)
        try {
          return await forward(payload)
        } finally {
          proving -= Number(isProof)
        }
      },
    },
  }
}

/** Milliseconds. */
const READS_FOR = 20

const openAfter = (kind: 'Error' | 'Prove') => () => ({
  enclave: {
    habits: { keepsOpen: (response: Uint8Array) => decodeResponse(response).kind === kind },
  },
})

/** The last byte of what an enclave gives to one kind of request, each seventh time another one. */
const bytesEachSeventh =
  (kind: string): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      enclave: {
        answer: (forward) => async (payload) => {
          const real = await forward(payload)
          if (!real || decodeRequest(payload).kind !== kind) return real
          met += 1
          if (met % RARE !== 0) return real
          return Uint8Array.from(real, (byte, at) => (at === real.length - 1 ? byte ^ 1 : byte))
        },
      },
    }
  }

/** Mutants that cannot read some requests, answer two at once as one, or keep the connection open. */
export const ENCLAVE_REQUEST_MUTANTS: readonly Mutant[] = [
  enclave(
    'ENC-KIND-03',
    'lengths-about-251',
    'Cannot read lengths of 251 to 255 bytes',
    blindTo((request) => lengthsOf(request).some((length) => length >= LONG && length < 256)),
  ),
  enclave(
    'ENC-KIND-03',
    'long-nonces',
    'Cannot read nonces of 251 bytes and more',
    blindTo((request) => (lengthsOf(request)[1] ?? 0) >= LONG),
  ),
  enclave('ENC-KIND-02', 'mute-while-proving', 'Tells nothing while it proves', closedWhileProving),
  enclave(
    'ENC-KIND-03',
    'user-data-alone',
    'Binds user data only beside a nonce',
    bound(({ userData, nonce }) => ({ userData: nonce && userData })),
  ),
  enclave(
    'ENC-KIND-03',
    'nonce-alone',
    'Takes a nonce without user data for user data',
    bound(({ userData, nonce }) => (userData ? {} : { userData: nonce, nonce: null })),
  ),
  enclave('ENC-PROTO-05', 'length-at-once', 'Takes what came first for the whole length', () => ({
    enclave: { habits: { readsLengthAtOnce: true } },
  })),
  enclave(
    'ENC-PROTO-04',
    'open-after-error',
    'Leaves the connection open after an error',
    openAfter('Error'),
  ),
  enclave(
    'ENC-PROTO-04',
    'open-after-proof',
    'Leaves the connection open after a proof',
    openAfter('Prove'),
  ),
  enclave('ENC-KIND-02', 'last-of-two', 'Answers two at once as the last of them', ({ clock }) => {
    let last: Uint8Array
    return {
      enclave: {
        answer: (forward) => async (payload) => {
          last = payload
          await new Promise<void>((resolve) => clock.after(READS_FOR, resolve))
          return forward(last)
        },
      },
    }
  }),
  enclave(
    'ENC-KIND-02',
    'seventh-key',
    'Each seventh key is another one',
    bytesEachSeventh('SignerPublicKey'),
  ),
  enclave('ENC-PROTO-05', 'payload-at-once', 'Takes what came first for the whole payload', () => ({
    enclave: { habits: { readsPayloadAtOnce: true } },
  })),
  enclave('SAFE-07', 'nonce-of-before', 'Binds the nonce of before where there is none', () => {
    let before: Uint8Array | null = null
    return handed((request) => {
      if (request.kind !== 'SignerAttestation') return request
      const nonce = request.nonce ?? before
      before = request.nonce ?? before
      return { ...request, nonce }
    })()
  }),
]
