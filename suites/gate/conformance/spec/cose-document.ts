import { verify, X509Certificate } from 'node:crypto'
import { decode, encode } from 'cborg'
import { expectThat } from '../matchers/expect-equal.ts'

/** Payload of an attestation (AWS Nitro attestation process, "Attestation document specification"). */
export interface AttestationPayload {
  module_id: string
  digest: string
  /** Milliseconds since the epoch. */
  timestamp: number
  pcrs: Map<number, Uint8Array>
  certificate: Uint8Array
  cabundle: Uint8Array[]
  public_key: Uint8Array | null
  user_data: Uint8Array | null
  nonce: Uint8Array | null
}

export interface CoseDocument {
  protectedHeader: Uint8Array
  payloadBytes: Uint8Array
  signature: Uint8Array
  payload: AttestationPayload
}

const COSE_SIGN1_TAG = 18
const ES384 = -35
const OPTIONS = {
  useMaps: true,
  allowIndefinite: true,
  tags: { [COSE_SIGN1_TAG]: (decodeContent: () => unknown) => decodeContent() },
}

/** Parses a tagged or untagged COSE_Sign1 attestation (ATT-01). @throws CaseFailure */
export function decodeCoseDocument(bytes: Uint8Array, at: string): CoseDocument {
  const parts = tryDecode(bytes, at)
  const isSign1 = Array.isArray(parts) && parts.length === 4
  expectThat(isSign1, 'COSE_Sign1: four elements', typeof parts, at)
  const [protectedHeader, , payloadBytes, signature] = parts as unknown[]
  for (const [name, value] of Object.entries({ protectedHeader, payloadBytes, signature })) {
    expectThat(value instanceof Uint8Array, 'bytes', typeof value, `${at}.${name}`)
  }
  const header = tryDecode(protectedHeader as Uint8Array, `${at}.protectedHeader`)
  const algorithm = header instanceof Map ? header.get(1) : undefined
  expectThat(algorithm === ES384, 'ES384 (-35)', algorithm, `${at} algorithm`)
  const payload = tryDecode(payloadBytes as Uint8Array, `${at}.payload`)
  expectThat(payload instanceof Map, 'a map', typeof payload, `${at}.payload`)
  return {
    protectedHeader: protectedHeader as Uint8Array,
    payloadBytes: payloadBytes as Uint8Array,
    signature: signature as Uint8Array,
    payload: Object.fromEntries(payload as Map<string, unknown>) as unknown as AttestationPayload,
  }
}

/** Whether the leaf certificate's key signed the document (RFC 9052 section 4.4), by node:crypto. */
export function isSignedByLeaf(document: CoseDocument): boolean {
  const { protectedHeader, payloadBytes, signature, payload } = document
  const signed = encode(['Signature1', protectedHeader, new Uint8Array(), payloadBytes])
  const key = new X509Certificate(payload.certificate).publicKey
  return verify('sha384', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Why the leaf does not lead to the bundle's root, link by link; undefined when it does. */
export function findBrokenLink(payload: AttestationPayload): string | undefined {
  const chain = [...payload.cabundle, payload.certificate].map((der) => new X509Certificate(der))
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index - 1] ?? certificate
    if (!certificate.checkIssued(issuer)) return `certificate ${index} names another issuer`
    if (!certificate.verify(issuer.publicKey)) return `certificate ${index} is not signed by it`
  }
  return undefined
}

function tryDecode(bytes: Uint8Array, at: string): unknown {
  try {
    return decode(bytes, OPTIONS)
  } catch (error) {
    expectThat(false, 'CBOR', error instanceof Error ? error.message : error, at)
  }
}
