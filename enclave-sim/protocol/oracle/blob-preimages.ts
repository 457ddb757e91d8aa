import { createHash } from 'node:crypto'
import { rootsOfUnity } from '@noble/curves/abstract/fft.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import type { BlobSidecar, Preimage, PreimageKey } from './preimage-oracle.ts'

/** Of a blob. */
export const FIELD_ELEMENTS = 4096
/** Of a KZG commitment, in bytes. */
export const COMMITMENT_SIZE = 48
/** Of a field element, in bytes. */
export const ELEMENT_SIZE = 32

/** EIP-4844 kzg_to_versioned_hash. */
export function toVersionedHash(commitment: Uint8Array): Hash {
  return `0x01${createHash('sha256').update(commitment).digest('hex').slice(2)}`
}

/** Key of a commitment: SHA-256, of which a versioned hash holds the low 31 bytes. */
function commitmentKey(hash: Hash): PreimageKey {
  return { type: 'sha256', data: hexToBytes(hash).subarray(1) }
}

/**
 * The keys of a blob's 4096 field elements and, last, of its KZG proof. Each is the Keccak-256 of
 * commitment ‖ z, where z is the root of unity at which the blob's polynomial has that value. Source:
 * OP specs, Fault Proof, "Type 5: global EIP-4844 point-evaluation key"; the proof's as deployed hosts
 * store it: the last root, with 4096 in its last eight bytes.
 */
export function* blobKeys(commitment: Uint8Array): Generator<PreimageKey> {
  const place = new Uint8Array(COMMITMENT_SIZE + ELEMENT_SIZE)
  place.set(commitment)
  for (const point of evaluationPoints()) {
    place.set(point, COMMITMENT_SIZE)
    yield { type: 'blob', data: keccak256(place).subarray(1) }
  }
}

/** All preimages of a blob, in the form other implementations read too. */
export function blobPreimages({ blob, commitment, proof }: BlobSidecar): Preimage[] {
  const preimages: Preimage[] = [
    { key: commitmentKey(toVersionedHash(commitment)), value: commitment },
  ]
  let at = 0
  for (const key of blobKeys(commitment)) {
    const value = at < blob.length ? blob.subarray(at, at + ELEMENT_SIZE) : proof
    preimages.push({ key, value })
    at += ELEMENT_SIZE
  }
  return preimages
}

let points: Uint8Array[] | undefined

/** The 4096 roots of unity in bit-reversed order, as 32 bytes each, and the proof's stand-in. */
function evaluationPoints(): Uint8Array[] {
  if (points) return points
  const { Fr } = bls12_381.fields
  // EIP-4844: 7 generates the multiplicative group.
  const roots = [...rootsOfUnity(Fr, 7n).brp(Math.log2(FIELD_ELEMENTS))]
  points = roots.map((root) => Uint8Array.from(Fr.toBytes(root)))
  const last = Uint8Array.from(points.at(-1)!)
  new DataView(last.buffer).setBigUint64(24, BigInt(FIELD_ELEMENTS))
  points.push(last)
  return points
}
