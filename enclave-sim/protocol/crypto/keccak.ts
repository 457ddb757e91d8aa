import { createKeccak } from 'hash-wasm'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import type { Hash } from '../types/bytes.ts'

const hasher = await createKeccak(256)

/** Keccak-256 on WASM: 5-10 times faster than plain JavaScript on trie nodes. */
export function keccak256(data: Uint8Array): Uint8Array {
  return hasher.init().update(data).digest('binary')
}

/** Keccak-256 as lower-case 0x hex. */
export function keccak256Hex(data: Uint8Array): Hash {
  return `0x${hasher.init().update(data).digest('hex')}`
}

/** keccak256 of nothing: the code hash of an account without code. */
export const KECCAK_EMPTY: Hash = keccak256Hex(new Uint8Array(0))

/** The root of an empty Merkle-Patricia trie: keccak256(rlp('')). */
export const EMPTY_TRIE_ROOT: Hash = bytesToHex(keccak256(Uint8Array.of(0x80)))
