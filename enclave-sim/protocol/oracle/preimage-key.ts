import { concatBytes } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash, Hex } from '../types/bytes.ts'
import type { PreimageKey, PreimageKeyType } from './preimage-oracle.ts'

/** First byte of a rendered key. Source: OP specs, "fault proof / pre-image key types". */
const TYPE_BYTE: Record<PreimageKeyType, number> = {
  local: 1,
  keccak256: 2,
  'global-generic': 3,
  sha256: 4,
  blob: 5,
  precompile: 6,
}

/** The 32-byte form of a key: type byte, then the 31 data bytes. */
export function renderPreimageKey(key: PreimageKey): Uint8Array {
  return concatBytes(Uint8Array.of(TYPE_BYTE[key.type]), key.data)
}

/** @throws PreimageKeyInvalid unless given 32 bytes that start with a known type byte. */
export function parsePreimageKey(rendered: Uint8Array): PreimageKey {
  const entry = Object.entries(TYPE_BYTE).find(([, byte]) => byte === rendered[0])
  if (!entry || rendered.length !== 32) throw new PreimageKeyInvalid(bytesToHex(rendered))
  return { type: entry[0] as PreimageKeyType, data: rendered.subarray(1) }
}

/** Key of a boot value: its identifier as a big-endian u64 in the last eight bytes. */
export function localKey(identifier: number): PreimageKey {
  const data = new Uint8Array(31)
  new DataView(data.buffer).setBigUint64(23, BigInt(identifier))
  return { type: 'local', data }
}

/** Key of a value by its Keccak-256: the low 31 bytes of the hash. */
export function keccakKey(hash: Hash): PreimageKey {
  return { type: 'keccak256', data: hexToBytes(hash).subarray(1) }
}

export class PreimageKeyInvalid extends RollbedError {
  constructor(key: Hex) {
    super('PREIMAGE_KEY_INVALID', `${key} is not a preimage key.`, {
      hint: 'A key has 32 bytes: a type from 1 to 6, then the low 31 bytes of the hash.',
    })
  }
}
