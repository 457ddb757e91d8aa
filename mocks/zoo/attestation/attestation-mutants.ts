import { createHash } from 'node:crypto'
import { decode, encode } from 'cborg'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { answerInstead, rewriteResult } from '../rewrites.ts'

type Payload = Map<string, unknown>

const HOUR = 3_600_000
const MOMENT = 900
const METHOD = 'enclave_signerAttestation'
const INVALID = { error: { code: -32602, message: 'Invalid params' } }
const OPTIONS = { useMaps: true, allowIndefinite: true }

const mutant = mutantsOf('attestation', 'prover')

/** Changes the bytes of every document. */
const bytes = (change: (document: Uint8Array, index: number) => Uint8Array) =>
  rewriteResult('enclave_signerAttestation', (result) =>
    (result as number[][]).map((each, index) => [...change(Uint8Array.from(each), index)]),
  )

/** Changes the four parts of every COSE_Sign1. */
const parts = (change: (parts: unknown[]) => unknown) =>
  bytes((document) => encode(change(decode(document, OPTIONS) as unknown[])))

const payload = (change: (payload: Payload) => void) =>
  bytes((document) => withPayload(document, change))

function withPayload(document: Uint8Array, change: (payload: Payload) => void): Uint8Array {
  const [header, unprotected, body, signature] = decode(document, OPTIONS) as unknown[]
  const map = decode(body as Uint8Array, OPTIONS) as Payload
  change(map)
  return encode([header, unprotected, encode(map), signature])
}

/** Mutants of attestation documents. A changed payload also breaks the signature over it. */
export const ATTESTATION_MUTANTS: readonly Mutant[] = [
  mutant(
    'ATT-01',
    'payload-only',
    'Gives the inner payload only',
    parts((all) => decode(all[2] as Uint8Array, OPTIONS)),
  ),
  mutant(
    'ATT-02',
    'wrong-signature',
    'Signed by another key',
    parts(([a, b, c, signature]) => {
      const flipped = Uint8Array.from(signature as Uint8Array)
      flipped[0]! ^= 1
      return [a, b, c, flipped]
    }),
  ),
  mutant(
    'ATT-03',
    'compressed-key',
    'Holds the compressed key',
    payload((map) => {
      const key = map.get('public_key') as Uint8Array
      map.set('public_key', Uint8Array.of(2 + (key[64]! & 1), ...key.slice(1, 33)))
    }),
  ),
  mutant(
    'ATT-04',
    'pcr0-only',
    'Holds PCR0 only',
    payload((map) => {
      const pcrs = map.get('pcrs') as Map<number, Uint8Array>
      map.set('pcrs', new Map([[0, pcrs.get(0)]]))
    }),
  ),
  mutant(
    'ATT-05',
    'leaf-only',
    'Holds no chain',
    payload((map) => {
      map.set('cabundle', [])
    }),
  ),
  mutant(
    'ATT-06',
    'time-zero',
    'Timestamp zero',
    payload((map) => {
      map.set('timestamp', 0)
    }),
  ),
  mutant(
    'ATT-07',
    'user-data-hashed',
    'Holds a hash of user_data',
    payload((map) => {
      const data = map.get('user_data')
      if (data instanceof Uint8Array) {
        map.set('user_data', new Uint8Array(createHash('sha256').update(data).digest()))
      }
    }),
  ),
  mutant(
    'ATT-08',
    'nonce-dropped',
    'Drops the nonce',
    payload((map) => {
      map.set('nonce', null)
    }),
  ),
  mutant(
    'ATT-09',
    'short-pcr',
    'PCR0 of 32 bytes',
    payload((map) => {
      const pcrs = map.get('pcrs') as Map<number, Uint8Array>
      pcrs.set(0, pcrs.get(0)!.slice(0, 32))
    }),
  ),
  mutant('HOST-RPC-12', 'one-nonce-for-all', 'Alters the nonce handed out', () => ({
    call: (call) =>
      call.method === 'enclave_signerAttestation' && Array.isArray(call.params[1])
        ? { ...call, params: [call.params[0], call.params[1].map(() => [1])] }
        : call,
  })),
  mutant('HOST-RPC-13', 'nonce-made-up', 'Fills in a nonce', () => ({
    call: (call) =>
      call.method === 'enclave_signerAttestation' && !call.params[1]
        ? { ...call, params: [call.params[0], [[0]]] }
        : call,
  })),
  mutant(
    'HOST-RPC-06',
    'user-data-mandatory',
    'Demands user_data',
    answerInstead(METHOD, ([userData]) => (userData ? undefined : INVALID)),
  ),
  mutant(
    'HOST-RPC-07',
    'one-nonce',
    'Takes one nonce and no list',
    answerInstead(METHOD, ([, nonces]) =>
      Array.isArray(nonces) && nonces.some(Array.isArray) ? INVALID : undefined,
    ),
  ),
  mutant(
    'HOST-RPC-08',
    'one-too-many',
    'Gives the last document twice',
    rewriteResult(METHOD, (result) => [...(result as unknown[]), (result as unknown[]).at(-1)]),
  ),
  mutant(
    'HOST-RPC-11',
    'user-data-not-for-all',
    'Keeps user_data from the last enclave',
    rewriteResult(METHOD, (result) => {
      const documents = result as number[][]
      const bare = withPayload(Uint8Array.from(documents.at(-1)!), (map) => {
        map.set('user_data', null)
      })
      return [...documents.slice(0, -1), [...bare]]
    }),
  ),
  mutant('ATT-12', 'hourly', 'Makes documents on a timer', ({ clock }) => {
    let made: { at: number; result: unknown } | undefined
    return {
      response(response, { method }) {
        if (method !== METHOD || !('result' in response)) return response
        if (!made || clock.now() - made.at > HOUR)
          made = { at: clock.now(), result: response.result }
        return { ...response, result: made.result }
      },
    }
  }),
  mutant('ATT-12', 'kept-for-a-moment', 'Keeps a document for most of a second', ({ clock }) => {
    const kept = new Map<string, { at: number; result: unknown }>()
    return {
      response(response, { method, params }) {
        if (method !== METHOD || !('result' in response)) return response
        const words = JSON.stringify(params)
        const before = kept.get(words)
        if (before && clock.now() - before.at < MOMENT)
          return { ...response, result: before.result }
        kept.set(words, { at: clock.now(), result: response.result })
        return response
      },
    }
  }),
  mutant('ATT-11', 'cached', 'Gives the document made at boot', () => {
    let kept: unknown
    return {
      response(response, { method }) {
        if (method !== 'enclave_signerAttestation' || !('result' in response)) return response
        kept ??= response.result
        return { ...response, result: kept }
      },
    }
  }),
]
