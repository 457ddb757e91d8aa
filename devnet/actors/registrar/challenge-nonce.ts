import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Address } from '#protocol/types/bytes'

const DOMAIN = new TextEncoder().encode('base-proof-tee-registrar:attestation-nonce:v1')

/**
 * What a signer's attestation has to carry, 32 bytes (ATT-13). It is always the same for a signer
 * and a registry, so it binds but does not make fresh: that is for the document's time.
 */
export function challengeNonce(registry: Address, signer: Address): Uint8Array {
  return keccak256(concatBytes(DOMAIN, hexToBytes(registry), hexToBytes(signer)))
}
