import type { Attestation } from '#enclave/attestation/decode-attestation'
import { verifyAttestation } from '#enclave/attestation/verify-attestation'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { addressOf } from '#protocol/journal/signer'
import type { Address, Hash } from '#protocol/types/bytes'

export interface CheckOptions {
  signer: Address
  /** The one that was sent. */
  nonce: Uint8Array
  /** Unix milliseconds by the registrar's clock: when the certificates have to be valid. */
  at: number
  /** Unix seconds on L1, and how old a document the registry takes. */
  l1Time: bigint
  maxAge: bigint
  /** DER of a simulated root, on a devnet only. Absent: the AWS root. */
  trustedRoot?: Uint8Array | undefined
}

const PUBLIC_KEY_SIZE = 65

/**
 * Verifies a signer's attestation in full: signature and certificates up to the pinned root, nonce,
 * that the key is the signer's, that the image is measured and not a debug one, and its age.
 * @returns the attestation, and keccak256 of its PCR0
 * @throws AttestationInvalid, SignerRefused
 */
export function checkAttestation(
  document: Uint8Array,
  { signer, nonce, at, l1Time, maxAge, trustedRoot }: CheckOptions,
): { attestation: Attestation; imageHash: Hash } {
  const attestation = verifyAttestation(document, { at, root: trustedRoot, nonce })
  const refuse = (why: string) => new SignerRefused(signer, why)
  const { publicKey, pcrs, timestamp } = attestation

  if (publicKey?.length !== PUBLIC_KEY_SIZE) throw refuse('attests no secp256k1 public key')
  if (addressOf(publicKey) !== signer) throw refuse(`attests ${addressOf(publicKey)}`)
  const pcr0 = pcrs.get(0)
  if (!pcr0) throw refuse('attests no PCR0')
  // Nitro measures nothing in debug mode.
  if (pcr0.every((byte) => byte === 0)) throw refuse('runs in debug mode: its PCR0 is zero')
  if (timestamp > at) throw refuse('attests from the future')
  if (BigInt(Math.floor(timestamp / 1000)) + maxAge <= l1Time)
    throw refuse(`attests with a document older than ${maxAge} s`)
  return { attestation, imageHash: keccak256Hex(pcr0) }
}

/** A genuine attestation of something that may not be registered. */
export class SignerRefused extends RollbedError {
  constructor(signer: Address, why: string) {
    super('SIGNER_REFUSED', `Signer ${signer} ${why}.`)
  }
}
