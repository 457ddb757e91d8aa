import secp256k1 from 'secp256k1'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import type { Address } from '../types/bytes.ts'
import { keccak256 } from './keccak.ts'

/** Half the order of secp256k1: EIP-2 forbids an s above it. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * The address whose key made an ECDSA signature (native secp256k1, about 0.1 ms).
 * @param digest 32 bytes
 * @param signature r ‖ s, 64 bytes
 * @returns undefined when no key could have made it
 */
export function recoverAddress(
  digest: Uint8Array,
  signature: Uint8Array,
  yParity: number,
): Address | undefined {
  let key: Uint8Array
  try {
    key = secp256k1.ecdsaRecover(signature, yParity, digest, false)
  } catch {
    return undefined
  }
  return bytesToHex(keccak256(key.subarray(1)).subarray(12))
}
