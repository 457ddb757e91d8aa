import type { KeyObject } from 'node:crypto'
import { encode } from 'cborg'
import type { AttestationClaims } from '../security-module.ts'
import { signSha384 } from './p384.ts'

export interface AttestationContent extends AttestationClaims {
  moduleId: string
  /** Unix milliseconds. */
  timestamp: number
  pcrs: Uint8Array[]
  /** DER of the certificate of the signing key. */
  certificate: Uint8Array
  /** DER, root first. */
  bundle: Uint8Array[]
}

/** COSE header {1: -35}: ES384. */
const PROTECTED = Uint8Array.of(0xa1, 0x01, 0x38, 0x22)

/** Real documents keep the order in which the module writes its fields. */
const inOrder = (value: unknown) => encode(value, { mapSorter: () => 0 })

/**
 * An untagged COSE_Sign1 with ES384 (RFC 9052). Source of the payload: aws-nitro-enclaves-nsm-api,
 * docs/attestation_process.md; absent claims are null, as real modules write them.
 */
export function attest(content: AttestationContent, privateKey: KeyObject): Uint8Array {
  const payload = inOrder(
    new Map<string, unknown>([
      ['module_id', content.moduleId],
      ['digest', 'SHA384'],
      ['timestamp', content.timestamp],
      ['pcrs', new Map(content.pcrs.map((pcr, index) => [index, pcr]))],
      ['certificate', content.certificate],
      ['cabundle', content.bundle],
      ['public_key', content.publicKey],
      ['user_data', content.userData],
      ['nonce', content.nonce],
    ]),
  )
  const toBeSigned = encode(['Signature1', PROTECTED, new Uint8Array(0), payload])
  const signature = signSha384(toBeSigned, privateKey)
  return inOrder([PROTECTED, new Map(), payload, signature])
}
