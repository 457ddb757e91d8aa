import { verify } from 'node:crypto'
import { equalsBytes } from '@ethereumjs/util'
import { AttestationInvalid } from './attestation-invalid.ts'
import { type Attestation, decodeAttestation } from './decode-attestation.ts'
import { toBeSigned } from './to-be-signed.ts'
import { type ChainOptions, verifyChain } from './verify-chain.ts'

export interface VerifyAttestationOptions extends ChainOptions {
  /** The nonce that was asked for, compared exactly; null when none was. Absent: not compared. */
  nonce?: Uint8Array | null
}

/** COSE header {1: -35}: ES384, and nothing else. */
const ES384 = Uint8Array.of(0xa1, 0x01, 0x38, 0x22)

/**
 * Verifies an attestation document: ES384 signature over the bytes as they came, the chain of the
 * signing certificate up to the pinned root, and the nonce. Whether the enclave is one to trust
 * (PCR0, public key, age) is for the caller to judge.
 * @throws AttestationInvalid
 * @example
 * const { pcrs, publicKey } = verifyAttestation(document, { at: clock.now(), nonce })
 */
export function verifyAttestation(
  document: Uint8Array,
  { nonce, ...chainOptions }: VerifyAttestationOptions,
): Attestation {
  const { attestation, protectedHeader, payload, signature } = decodeAttestation(document)
  if (!equalsBytes(protectedHeader, ES384)) throw new AttestationInvalid('not signed with ES384')

  const key = verifyChain([...attestation.cabundle, attestation.certificate], chainOptions)
  if (key.asymmetricKeyDetails?.namedCurve !== 'secp384r1')
    throw new AttestationInvalid('not signed with a P-384 key')
  const signed = toBeSigned({ protectedHeader, payload })
  if (!verify('sha384', signed, { key, dsaEncoding: 'ieee-p1363' }, signature))
    throw new AttestationInvalid('signature is wrong')

  if (nonce !== undefined && !sameNonce(nonce, attestation.nonce))
    throw new AttestationInvalid('nonce is not the one asked for')
  return attestation
}

function sameNonce(asked: Uint8Array | null, given: Uint8Array | null): boolean {
  return asked && given ? equalsBytes(asked, given) : asked === given
}
