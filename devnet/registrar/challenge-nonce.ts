import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
import { keccak256 } from '../../enclave-sim/protocol/crypto/keccak.ts'
import type { Address } from '../../enclave-sim/protocol/types/bytes.ts'

const DOMAIN = new TextEncoder().encode('base-proof-tee-registrar:attestation-nonce:v1')

/**
 * What a signer's attestation has to carry, 32 bytes (ATT-13). It is always the same for a signer
 * and a registry, so it binds but does not make fresh: that is for the document's time.
 */
export function challengeNonce(registry: Address, signer: Address): Uint8Array {
  return keccak256(concatBytes(DOMAIN, hexToBytes(registry), hexToBytes(signer)))
}
