/**
 * The enclave's secp256k1 key. It lives in this closure and nowhere else: it cannot be read back,
 * printed or serialised (SAFE-01).
 */

import secp256k1 from 'secp256k1'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address, Hex } from '../types/bytes.ts'

export interface Signer {
  address: Address
  /** 65 bytes, uncompressed (HOST-RPC-05). */
  publicKey: Uint8Array
  /**
   * r ‖ s ‖ v over keccak256(journal): RFC 6979, low s, v the recovery id 0 or 1 (SIG-01..04).
   * @param journal packed bytes
   */
  sign(journal: Uint8Array): Hex
}

/**
 * @param privateKey 32 bytes; copied
 * @throws SignerKeyInvalid when it is zero or not below the order of the curve
 */
export function createSigner(privateKey: Uint8Array): Signer {
  if (privateKey.length !== 32) throw new SignerKeyInvalid()
  const key = Uint8Array.from(privateKey)
  if (!secp256k1.privateKeyVerify(key)) throw new SignerKeyInvalid()
  const publicKey = secp256k1.publicKeyCreate(key, false)
  return {
    publicKey,
    address: addressOf(publicKey),
    sign(journal) {
      // libsecp256k1 takes its nonce from RFC 6979 and gives the low s.
      const { signature, recid } = secp256k1.ecdsaSign(keccak256(journal), key)
      return `${bytesToHex(signature)}${recid.toString(16).padStart(2, '0')}` as Hex
    },
  }
}

/**
 * @param publicKey 65 bytes, uncompressed
 * @example
 * const signer = addressOf(await enclave.signerPublicKey())
 */
export function addressOf(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey.subarray(1)).subarray(12))
}

export class SignerKeyInvalid extends RollbedError {
  constructor() {
    super('SIGNER_KEY_INVALID', 'The signer key is not a secp256k1 private key.')
  }
}
