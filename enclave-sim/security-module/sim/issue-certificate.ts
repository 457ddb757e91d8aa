import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { Rng } from '#protocol/random/rng'
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'
import { drawnKey, signSha384 } from './p384.ts'

/** A P-384 certificate and the key it is for. The key never leaves the simulated hypervisor. */
export interface Issued {
  commonName: string
  /** DER. */
  certificate: Uint8Array
  privateKey: KeyObject
  publicKey: KeyObject
  /** Unix milliseconds, whole seconds. */
  notAfter: number
}

export interface CertificateRequest {
  commonName: string
  /** Unix milliseconds. */
  notBefore: number
  notAfter: number
  /** Intermediate certificates allowed below; `'none'` for a leaf. Absent: no limit. */
  pathLength?: number | 'none'
  /** Absent: signs itself. */
  issuer?: Issued
  rng: Rng
}

const ECDSA_WITH_SHA384 = sequence(objectIdentifier('1.2.840.10045.4.3.3'))
const KEY_CERT_SIGN_AND_CRL_SIGN = bitString(Uint8Array.of(0b0000_0110), 1)
const DIGITAL_SIGNATURE = bitString(Uint8Array.of(0b1000_0000), 7)

/** Issues an X.509 v3 certificate with a new P-384 key (RFC 5280). */
export function issueCertificate(request: CertificateRequest): Issued {
  const privateKey = drawnKey(request.rng)
  const publicKey = createPublicKey(privateKey)
  const { commonName, notBefore, notAfter } = request
  const issuer = request.issuer ?? { commonName, privateKey, publicKey }

  const toBeSigned = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(Uint8Array.of(1, ...request.rng.bytes(15))),
    ECDSA_WITH_SHA384,
    nameOf(issuer.commonName),
    sequence(time(notBefore), time(notAfter)),
    nameOf(commonName),
    spki(publicKey),
    explicit(3, sequence(...extensions(request, publicKey, issuer.publicKey))),
  )
  const signed = signSha384(toBeSigned, issuer.privateKey, request.rng)
  const numbers = sequence(integer(signed.subarray(0, 48)), integer(signed.subarray(48)))
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA384, bitString(numbers))
  return { commonName, certificate, privateKey, publicKey, notAfter }
}

function extensions(
  { pathLength, issuer }: CertificateRequest,
  subjectKey: KeyObject,
  issuerKey: KeyObject,
): Uint8Array[] {
  const isLeaf = pathLength === 'none'
  const limit = typeof pathLength === 'number' ? [integer(Uint8Array.of(pathLength))] : []
  const constraints = isLeaf ? sequence() : sequence(boolean(true), ...limit)
  return [
    extension('2.5.29.19', constraints, { critical: true }),
    extension('2.5.29.15', isLeaf ? DIGITAL_SIGNATURE : KEY_CERT_SIGN_AND_CRL_SIGN, {
      critical: true,
    }),
    extension('2.5.29.14', octetString(keyIdentifier(subjectKey))),
    ...(issuer ? [extension('2.5.29.35', sequence(implicit(0, keyIdentifier(issuerKey))))] : []),
  ]
}

function extension(oid: string, value: Uint8Array, { critical = false } = {}): Uint8Array {
  return sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(value))
}

function nameOf(commonName: string): Uint8Array {
  const attribute = (oid: string, text: string) =>
    set(sequence(objectIdentifier(oid), utf8String(text)))
  return sequence(attribute('2.5.4.10', 'rollbed simulation'), attribute('2.5.4.3', commonName))
}

const spki = (key: KeyObject): Uint8Array => key.export({ type: 'spki', format: 'der' })

/** SHA-1 of the public point, RFC 5280 4.2.1.2 method 1: the last 97 bytes of a P-384 SPKI. */
const keyIdentifier = (key: KeyObject): Uint8Array =>
  createHash('sha1').update(spki(key).subarray(-97)).digest()
