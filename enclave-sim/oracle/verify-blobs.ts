import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import { verifyBlobProof } from '../crypto/kzg.ts'
import type { Hash, Hex } from '../execution/types.ts'
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
    if (commitment.length !== COMMITMENT_SIZE) continue
    const key = (index: number) => bytesToHex(blobKey(commitment, index).data)
    // Most 48 bytes are no commitment: found out by one hash, not by 4097.
    if (!values.has(key(0))) continue
    const keys = Array.from({ length: VALUES_PER_BLOB }, (_, index) => key(index))
    const sidecar = toSidecar(
      commitment,
      keys.map((each) => values.get(each)),
    )
    if (!sidecar) continue
    blobs.set(toVersionedHash(commitment), sidecar)
    for (const each of keys) unclaimed.delete(each)
    yield
  }
  const [first] = unclaimed
  return { blobs, unverified: first && { type: 'blob', data: hexToBytes(first) } }
}

/** @returns undefined when a part is missing or of the wrong size, or the proof does not hold */
function toSidecar(
  commitment: Uint8Array,
  parts: readonly (Uint8Array | undefined)[],
): BlobSidecar | undefined {
  const proof = parts.at(-1)
  const elements = parts.slice(0, -1).filter((part) => part?.length === ELEMENT_SIZE)
  if (!proof || elements.length !== parts.length - 1) return undefined
  const blob = concatBytes(...(elements as Uint8Array[]))
  return verifyBlobProof(blob, commitment, proof) ? { blob, commitment, proof } : undefined
}
