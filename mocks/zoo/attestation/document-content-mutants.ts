import { decode, encode } from 'cborg'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteParams, rewriteResult } from '../rewrites.ts'

type Payload = Map<string, unknown>

const METHOD = 'enclave_signerAttestation'
const OPTIONS = { useMaps: true, allowIndefinite: true }

const mutant = mutantsOf('attestation', 'prover')

const documents = (
  rule: string,
  name: string,
  says: string,
  change: (document: Uint8Array, payload: Payload) => Uint8Array,
) =>
  mutant(
    rule,
    name,
    says,
    rewriteResult(METHOD, (result) =>
      (result as number[][]).map((each) => {
        const document = Uint8Array.from(each)
        const [, , body] = decode(document, OPTIONS) as [unknown, unknown, Uint8Array]
        return [...change(document, decode(body, OPTIONS) as Payload)]
      }),
    ),
  )

/** Changes the payloads of some documents. */
const payloads = (
  rule: string,
  name: string,
  says: string,
  isMeant: (payload: Payload) => boolean,
  change: (payload: Payload) => void,
) =>
  documents(rule, name, says, (document, payload) => {
    if (!isMeant(payload)) return document
    const [header, unprotected, , signature] = decode(document, OPTIONS) as unknown[]
    change(payload)
    return encode([header, unprotected, encode(payload), signature])
  })

const asked = (
  rule: string,
  name: string,
  says: string,
  change: (userData: unknown, nonces: unknown) => unknown[],
) =>
  mutant(
    rule,
    name,
    says,
    rewriteParams(METHOD, ([userData, nonces]) => change(userData, nonces)),
  )

const each = (nonces: unknown, change: (nonce: number[]) => number[]) =>
  Array.isArray(nonces)
    ? nonces.map((nonce) => (Array.isArray(nonce) ? change(nonce) : nonce))
    : nonces

const sizeOf = (bytes: unknown) => (bytes instanceof Uint8Array ? bytes.length : 0)

const throughText = (bytes: unknown) =>
  Array.isArray(bytes) ? [...Buffer.from(Buffer.from(bytes).toString())] : bytes

/** Mutants of documents that are wrong for some words alone, or in what nobody asked for. */
export const DOCUMENT_CONTENT_MUTANTS: readonly Mutant[] = [
  documents(
    'ATT-01',
    'bytes-behind',
    'Leaves a byte behind a document with user data',
    (document, map) => (map.get('user_data') ? Uint8Array.of(...document, 0) : document),
  ),
  documents(
    'ATT-02',
    'unsigned-at-length',
    'Signs no document of long user data',
    (document, map) =>
      sizeOf(map.get('user_data')) > 255
        ? document.map((byte, at) => (at === document.length - 1 ? byte ^ 1 : byte))
        : document,
  ),
  payloads(
    'ATT-03',
    'compressed-without-nonce',
    'Holds the compressed key where there is no nonce',
    (map) => !map.get('nonce'),
    (map) => {
      const key = map.get('public_key') as Uint8Array
      map.set('public_key', Uint8Array.of(2 + (key[64]! & 1), ...key.slice(1, 33)))
    },
  ),
  payloads(
    'ATT-04',
    'no-pcr-above-2',
    'Holds no PCR above 2 beside a nonce',
    (map) => sizeOf(map.get('nonce')) > 0,
    (map) => {
      const pcrs = [...(map.get('pcrs') as Map<number, Uint8Array>)]
      map.set('pcrs', new Map(pcrs.filter(([index]) => index < 3)))
    },
  ),
  payloads(
    'ATT-05',
    'chain-turned-round',
    'Holds the chain from its end',
    () => true,
    (map) => {
      map.set('cabundle', [...(map.get('cabundle') as unknown[])].reverse())
    },
  ),
  payloads(
    'ATT-05',
    'no-chain-at-length',
    'Holds no chain beside a nonce of 512 bytes',
    (map) => sizeOf(map.get('nonce')) === 512,
    (map) => {
      map.set('cabundle', [])
    },
  ),
  payloads(
    'ATT-06',
    'seconds',
    'Counts time in seconds',
    () => true,
    (map) => {
      map.set('timestamp', Math.floor(Number(map.get('timestamp')) / 1_000))
    },
  ),
  payloads(
    'ATT-06',
    'an-hour-behind',
    'Its clock is an hour behind',
    () => true,
    (map) => {
      map.set('timestamp', Number(map.get('timestamp')) - 3_600_000)
    },
  ),
  asked('ATT-07', 'user-data-as-text', 'Reads user data as text', (userData, nonces) => [
    throughText(userData),
    nonces,
  ]),
  asked('ATT-08', 'nonce-as-text', 'Reads a nonce as text', (userData, nonces) => [
    userData,
    each(nonces, (nonce) => throughText(nonce) as number[]),
  ]),
  asked('ATT-08', 'length-of-a-byte', 'Counts a nonce in a byte', (userData, nonces) => [
    userData,
    each(nonces, (nonce) => (nonce.length > 512 ? nonce : nonce.slice(0, nonce.length % 256))),
  ]),
  asked('ATT-08', 'zeros-lost', 'Leaves out zeros at the front of a nonce', (userData, nonces) => [
    userData,
    each(nonces, (nonce) => (nonce.length > 512 ? nonce : nonce.slice(nonce.findIndex(Boolean)))),
  ]),
  asked(
    'ATT-07',
    'zeros-behind-lost',
    'Leaves out zeros at the end of user data',
    (data, nonces) => [
      Array.isArray(data) && data.length <= 512
        ? data.slice(0, data.findLastIndex(Boolean) + 1)
        : data,
      nonces,
    ],
  ),
]
