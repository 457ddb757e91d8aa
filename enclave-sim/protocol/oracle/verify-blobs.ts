import { concatBytes } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { verifyBlobProof } from '../crypto/kzg.ts'
import type { Hash, Hex } from '../types/bytes.ts'
import { blobKey, toVersionedHash, VALUES_PER_BLOB } from './blob-preimages.ts'
import type { BlobSidecar, PreimageKey } from './preimage-oracle.ts'

const COMMITMENT_SIZE = 48
const ELEMENT_SIZE = 32

export interface VerifiedBlobs {
  blobs: Map<Hash, BlobSidecar>
  /** A key whose value belongs to no blob that is proven. */
  unverified: PreimageKey | undefined
}

/**
 * Puts blobs together from their values and verifies each, with a pause after each.
 *
 * A blob key is a hash of the place, not of the value, so that a value by itself cannot be checked.
 * The whole blob can: its commitment hashes to the versioned hash, and EIP-4844's
 * verify_blob_kzg_proof ties all 4096 values to the commitment at once. That is sound whoever made
 * the proof, takes some 20 ms where committing anew takes 300, and needs one point of the trusted
 * setup in the measured image instead of 4096. Deployed enclaves take these values unverified.
 *
 * @param sha256s values that are verified under their SHA-256: commitments are among them
 * @param values by the 31 bytes of their key
 */
export function* verifyBlobs(
  sha256s: readonly Uint8Array[],
  values: ReadonlyMap<Hex, Uint8Array>,
): Generator<void, VerifiedBlobs> {
  const unclaimed = new Set(values.keys())
  const blobs = new Map<Hash, BlobSidecar>()
  for (const commitment of sha256s) {
    if (unclaimed.size === 0) break
    const hash = toVersionedHash(commitment)
    const parts = blobs.has(hash) ? undefined : partsOf(commitment, values)
    if (!parts) continue
    const all = [...parts.values()]
    const [blob, proof] = [concatBytes(...all.slice(0, -1)), all.at(-1)!]
    // No other commitment has these keys: that they are left unclaimed refuses the witness.
    if (!verifyBlobProof(blob, commitment, proof)) break
    blobs.set(hash, { blob, commitment, proof })
    for (const key of parts.keys()) unclaimed.delete(key)
    yield
  }
  const [first] = unclaimed
  return { blobs, unverified: first && { type: 'blob', data: hexToBytes(first) } }
}

/** By key, in order. undefined at the first that is missing: most 48 bytes are no commitment. */
function partsOf(
  commitment: Uint8Array,
  values: ReadonlyMap<Hex, Uint8Array>,
): Map<Hex, Uint8Array> | undefined {
  if (commitment.length !== COMMITMENT_SIZE) return undefined
  const parts = new Map<Hex, Uint8Array>()
  for (let index = 0; index < VALUES_PER_BLOB; index++) {
    const key = bytesToHex(blobKey(commitment, index).data)
    const value = values.get(key)
    const isProof = index === VALUES_PER_BLOB - 1
    if (!value || (!isProof && value.length !== ELEMENT_SIZE)) return undefined
    parts.set(key, value)
  }
  return parts
}
