import { encode } from 'cborg'
import type { SignedAttestation } from './decode-attestation.ts'

/** What the signature of a COSE_Sign1 attestation is over: its Sig_structure, without external data. */
export function toBeSigned({
  protectedHeader,
  payload,
}: Pick<SignedAttestation, 'protectedHeader' | 'payload'>): Uint8Array {
  return encode(['Signature1', protectedHeader, new Uint8Array(0), payload])
}
