import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes, toHex } from 'viem'
import type { Hex } from '../wire/hex.ts'

/**
 * How the gate hashes and recovers: by @noble, where the node hashes by the EVM's WASM and recovers
 * by libsecp256k1, so that one mistake cannot hide in both.
 */
export function keccak256(value: Hex | Uint8Array): Hex {
  return toHex(keccak256Bytes(value))
}

export function keccak256Bytes(value: Hex | Uint8Array): Uint8Array {
  return keccak_256(bytesOf(value))
}

export function sha256(value: Hex | Uint8Array): Hex {
  return toHex(sha256Bytes(value))
}

export function sha256Bytes(value: Hex | Uint8Array): Uint8Array {
  return nobleSha256(bytesOf(value))
}

/** The address of an uncompressed public key of 65 bytes, in lower case. */
export function addressOfKey(publicKey: Hex | Uint8Array): Hex {
  return toHex(keccak256Bytes(bytesOf(publicKey).subarray(1)).subarray(12))
}

/**
 * Who signed a hash.
 * @param signature r ‖ s ‖ v, v being 0 or 1, or 27 more
 * @throws Error when there is no such key
 */
export function recoverAddress(hash: Hex, signature: Hex): Hex {
  const bytes = hexToBytes(signature)
  const parsed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
  const v = bytes[64]!
  const key = parsed.addRecoveryBit(v >= 27 ? v - 27 : v).recoverPublicKey(hexToBytes(hash))
  return addressOfKey(key.toBytes(false))
}

function bytesOf(value: Hex | Uint8Array): Uint8Array {
  return typeof value === 'string' ? hexToBytes(value) : value
}
