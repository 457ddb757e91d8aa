import { decode } from 'cborg'
import { AttestationInvalid } from './attestation-invalid.ts'

/** What the hypervisor says of an enclave (ATT-02..09). Nothing here is verified yet. */
export interface Attestation {
  moduleId: string
  /** Unix milliseconds. */
  timestamp: number
  /** By index; 48 bytes each for SHA384. */
  pcrs: ReadonlyMap<number, Uint8Array>
  /** DER of the certificate whose key signed. */
  certificate: Uint8Array
  /** DER of its issuers, root first. */
  cabundle: Uint8Array[]
  publicKey: Uint8Array | null
  userData: Uint8Array | null
  nonce: Uint8Array | null
}

/** An attestation with the parts that its signature is over, byte for byte as they came. */
export interface SignedAttestation {
  attestation: Attestation
  protectedHeader: Uint8Array
  payload: Uint8Array
  /** r ‖ s, 96 bytes. */
  signature: Uint8Array
}

/** Limits of real documents. Source: nsm-api, docs/attestation_process.md. */
const PAYLOAD_MAX = 16_384
const CERTIFICATE_MAX = 1024
const PUBLIC_KEY_MAX = 1024
const CLAIM_MAX = 512
const PCR_MAX = 32
/** Payload, header and signature. */
const DOCUMENT_MAX = PAYLOAD_MAX + 1024
/** CBOR tag 18, COSE_Sign1. */
const TAG = 0xd2

/**
 * Reads a COSE_Sign1 attestation: tagged or not, with a payload map of definite or indefinite
 * length (real modules write the latter since November 2025).
 * @throws AttestationInvalid
 */
export function decodeAttestation(document: Uint8Array): SignedAttestation {
  if (document.length > DOCUMENT_MAX) throw new AttestationInvalid('document is too large')
  const message = cbor(document[0] === TAG ? document.subarray(1) : document)
  if (!Array.isArray(message) || message.length !== 4)
    throw new AttestationInvalid('not a COSE_Sign1 message')
  const [protectedHeader, unprotected, payload, signature] = message
  if (!(unprotected instanceof Map) || unprotected.size)
    throw new AttestationInvalid('unprotected header is not empty')
  return {
    protectedHeader: bytes(protectedHeader, 'protected header', 0, 64),
    signature: bytes(signature, 'signature', 96, 96),
    payload: bytes(payload, 'payload', 1, PAYLOAD_MAX),
    attestation: readPayload(cbor(payload)),
  }
}

function readPayload(payload: unknown): Attestation {
  if (!(payload instanceof Map)) throw new AttestationInvalid('payload is not a map')
  const optional = (name: string, max: number, min = 0) =>
    payload.get(name) == null ? null : bytes(payload.get(name), name, min, max)

  const moduleId = payload.get('module_id')
  const timestamp = payload.get('timestamp')
  const cabundle = payload.get('cabundle')
  if (typeof moduleId !== 'string' || !moduleId) throw new AttestationInvalid('no module_id')
  if (payload.get('digest') !== 'SHA384') throw new AttestationInvalid('digest is not SHA384')
  if (typeof timestamp !== 'number' || timestamp <= 0 || !Number.isSafeInteger(timestamp))
    throw new AttestationInvalid('no timestamp')
  if (!Array.isArray(cabundle) || cabundle.length === 0) throw new AttestationInvalid('no cabundle')
  return {
    moduleId,
    timestamp,
    pcrs: readPcrs(payload.get('pcrs')),
    certificate: bytes(payload.get('certificate'), 'certificate', 1, CERTIFICATE_MAX),
    cabundle: cabundle.map((entry) => bytes(entry, 'cabundle entry', 1, CERTIFICATE_MAX)),
    publicKey: optional('public_key', PUBLIC_KEY_MAX, 1),
    userData: optional('user_data', CLAIM_MAX),
    nonce: optional('nonce', CLAIM_MAX),
  }
}

function readPcrs(pcrs: unknown): Map<number, Uint8Array> {
  if (!(pcrs instanceof Map) || pcrs.size === 0 || pcrs.size > PCR_MAX)
    throw new AttestationInvalid('no pcrs')
  const read = new Map<number, Uint8Array>()
  for (const [index, value] of pcrs) {
    if (!Number.isInteger(index) || index < 0 || index >= PCR_MAX)
      throw new AttestationInvalid('pcr index out of range')
    read.set(index, bytes(value, `pcr ${index}`, 48, 48))
  }
  return read
}

function bytes(value: unknown, name: string, min: number, max: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new AttestationInvalid(`${name} is not a byte string`)
  if (value.length < min || value.length > max)
    throw new AttestationInvalid(`${name} has ${value.length} bytes`)
  return value
}

function cbor(encoded: unknown): unknown {
  if (!(encoded instanceof Uint8Array)) throw new AttestationInvalid('payload is not a byte string')
  try {
    return decode(encoded, { useMaps: true, rejectDuplicateMapKeys: true, strict: true })
  } catch (error) {
    // Also a RangeError of nesting too deep: the size above bounds the work.
    throw new AttestationInvalid('not CBOR', error)
  }
}
