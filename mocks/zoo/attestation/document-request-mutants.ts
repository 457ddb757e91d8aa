import { type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { answered, eachSeventh, fails, RARE, succeeds } from '../parts/each-seventh.ts'
import { keptFor } from '../parts/kept-for.ts'
import { answerInstead, rewriteParams } from '../rewrites.ts'

const prover = mutantsOf('prover', 'prover')
const attestation = mutantsOf('attestation', 'prover')

const ATTEST = 'enclave_signerAttestation'

/** Bytes of user data (LIM-04). */
const MOST = 512

const documentsAskedBy = (
  rule: string,
  name: string,
  says: string,
  change: (userData: unknown, nonces: unknown) => unknown[],
) =>
  prover(
    rule,
    name,
    says,
    rewriteParams(ATTEST, ([data, nonces]) => change(data, nonces)),
  )

const INVALID = { error: { code: -32602, message: 'Invalid params' } }

const refusingParams = (isRefused: (params: readonly unknown[]) => boolean) =>
  answerInstead(ATTEST, (params) => (isRefused(params) ? INVALID : undefined))

/** What is given without the other is not bound. */
const aloneLost = (at: 0 | 1) => (): MutantHooks => ({
  call(asked) {
    const isAlone = asked.params[at] && !asked.params[1 - at]
    const isLong = JSON.stringify(asked.params).length > 1_000
    return asked.method === ATTEST && isAlone && !isLong
      ? { ...asked, params: [null, null] }
      : asked
  },
})

const ATTESTATION = 'enclave_signerAttestation'

/** A document is made once for the same parameters. */
const keptDocuments: Mutant['apply'] = () => {
  const kept = new Map<string, unknown>()
  return {
    response(response, { method, params }) {
      if (method !== ATTESTATION || !('result' in response)) return response
      const key = JSON.stringify(params)
      if (!kept.has(key)) kept.set(key, response.result)
      return { ...response, result: kept.get(key) }
    },
  }
}

const cut = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, 256) : bytes)

const atMost = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, MOST) : bytes)

/** What is empty is not given. */
const emptyIsNone =
  (change: (params: readonly unknown[]) => readonly unknown[]) => (): MutantHooks => ({
    call: (asked) => (asked.method === ATTEST ? { ...asked, params: change(asked.params) } : asked),
  })
const unlessEmpty = (bytes: unknown) => (Array.isArray(bytes) && bytes.length === 0 ? null : bytes)

/** Mutants that misread or refuse a request for documents, or answer it with those of another. */
export const DOCUMENT_REQUEST_MUTANTS: readonly Mutant[] = [
  documentsAskedBy(
    'ERR-07',
    'zeros-uncounted',
    'Does not count zeros at the end of user_data',
    (data, nonces) => {
      if (!Array.isArray(data) || data.length <= MOST) return [data, nonces]
      return [data.slice(0, Math.max(MOST, data.findLastIndex(Boolean) + 1)), nonces]
    },
  ),
  documentsAskedBy(
    'ERR-08',
    'nonce-cut-beside-user-data',
    'Cuts a long nonce that stands beside user data',
    (data, nonces) => [data, data && Array.isArray(nonces) ? nonces.map(atMost) : nonces],
  ),
  documentsAskedBy(
    'ERR-07',
    'user-data-cut-beside-nonces',
    'Cuts long user data that stands beside nonces',
    (data, nonces) => [nonces ? atMost(data) : data, nonces],
  ),
  documentsAskedBy('ERR-06', 'count-of-a-byte', 'Counts nonces in a byte', (data, nonces) =>
    Array.isArray(nonces) && nonces.length > 256
      ? [data, nonces.slice(0, nonces.length % 256)]
      : [data, nonces],
  ),
  prover(
    'HOST-RPC-06',
    'two-places-demanded',
    'Demands both parameters of a document, be they null',
    refusingParams(({ length }) => length < 2),
  ),
  prover(
    'HOST-RPC-07',
    'nonces-place-demanded',
    'Demands nonces beside user data, be they null',
    refusingParams(({ length }) => length === 1),
  ),
  attestation(
    'LIM-04',
    'thousand-in-all',
    'Refuses more than 1,000 bytes of user_data and nonce together',
    answerInstead('enclave_signerAttestation', ([userData, nonces]) => {
      const lengths = [userData, ...((nonces ?? []) as unknown[])].map(
        (bytes) => (bytes as number[] | null)?.length ?? 0,
      )
      const [own = 0, ...others] = lengths
      const isTooMuch = Math.max(...lengths) <= 512 && others.some((each) => own + each > 1000)
      return isTooMuch ? { error: { code: -32602, message: 'too long' } } : undefined
    }),
  ),
  attestation('ATT-07', 'user-data-alone-lost', 'Binds no user data without nonces', aloneLost(0)),
  attestation('ATT-08', 'nonce-alone-lost', 'Binds no nonce without user data', aloneLost(1)),
  attestation(
    'ATT-11',
    'kept-by-parameters',
    'Gives a document again that the same parameters had asked for',
    keptDocuments,
  ),
  attestation(
    'ATT-07',
    'cut-at-256',
    'Keeps 256 bytes of user data',
    rewriteParams(ATTESTATION, ([userData, ...rest]) => [cut(userData), ...rest]),
  ),
  attestation(
    'ATT-07',
    'seventh-document',
    'Each seventh answer has the documents of the one before',
    () => {
      let [met, before]: [number, unknown] = [0, undefined]
      return {
        response(response, asked) {
          if (!succeeds('enclave_signerAttestation')(response, asked)) return response
          met += 1
          const isWrong = met % RARE === 0 && before !== undefined
          const given = isWrong ? { ...response, result: before } : response
          before = response.result
          return given
        },
      }
    },
  ),
  prover(
    'ERR-07',
    'seventh-refusal',
    'Answers each seventh request for documents that it must refuse',
    eachSeventh(fails('enclave_signerAttestation'), answered([])),
  ),
  attestation(
    'ATT-07',
    'binding-swapped',
    'Takes user data for the nonce, and the nonce for user data (base/base#1480)',
    rewriteParams(ATTEST, ([userData, nonces]) => {
      const [nonce = null] = Array.isArray(nonces) ? nonces : []
      return [nonce, userData ? [userData] : null]
    }),
  ),
  attestation(
    'ATT-07',
    'kept-by-nonces',
    'Gives the documents again that the same nonces had brought, whatever user data is bound now',
    keptFor(ATTEST, ([, nonces]) => (Array.isArray(nonces) ? JSON.stringify(nonces) : undefined)),
  ),
  attestation(
    'ATT-07',
    'empty-user-data-lost',
    'Binds no user data where it is empty',
    emptyIsNone(([userData, ...more]) => [unlessEmpty(userData), ...more]),
  ),
  attestation(
    'ATT-08',
    'nonce-of-before',
    'Binds the nonces of before where there are none',
    () => {
      let before: unknown
      return {
        call(asked) {
          const [userData, nonces] = asked.params
          if (asked.method !== ATTEST) return asked
          if (Array.isArray(nonces) && nonces.length === 1) before = nonces
          return nonces ? asked : { ...asked, params: [userData ?? null, before ?? null] }
        },
      }
    },
  ),
]
