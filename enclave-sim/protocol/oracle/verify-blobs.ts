import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { verifyBlobProofs } from '../crypto/kzg.ts'
import type { Hash, Hex } from '../types/bytes.ts'
import {
  blobKeys,
  COMMITMENT_SIZE,
  ELEMENT_SIZE,
  FIELD_ELEMENTS,
  toVersionedHash,
} from './blob-preimages.ts'
import type { BlobSidecar, PreimageKey } from './preimage-oracle.ts'

/** Blobs between two pauses: a tenth of a second of work. */
const AT_ONCE = 8

export interface VerifiedBlobs {
  blobs: Map<Hash, BlobSidecar>
  /** A key whose value belongs to no blob that is proven. */
  unverified: PreimageKey | undefined
}

/**
 * Puts blobs together from their values and verifies them, with pauses.
 *
 * A blob key is a hash of the place, not of the value, so that a value by itself cannot be checked.
 * The whole blob can: its commitment hashes to the versioned hash, and EIP-4844's
 * verify_blob_kzg_proof_batch ties all values to the commitments at once. That is sound whoever made
 * the proofs, takes some 15 ms a blob where committing anew takes 300, and needs one point of the
 * trusted setup in the measured image instead of 4096. Deployed enclaves take these values unverified.
 *
 * @param sha256s values that are verified under their SHA-256: commitments are among them
 * @param values by the 31 bytes of their key; those of proven blobs are taken out
 */
export function* verifyBlobs(
  sha256s: readonly Uint8Array[],
  values: Map<Hex, Uint8Array>,
): Generator<void, VerifiedBlobs> {
  const blobs = new Map<Hash, BlobSidecar>()
  for (const some of inPieces(wholeBlobs(sha256s, values), AT_ONCE)) {
    const areProven = verifyBlobProofs(some.map(({ sidecar }) => sidecar))
    for (const { sidecar, keys } of some) {
      if (!areProven && !verifyBlobProofs([sidecar])) continue
      blobs.set(toVersionedHash(sidecar.commitment), sidecar)
      for (const key of keys) values.delete(key)
    }
    // No other commitment has the keys of what is not proven: that they are left refuses the witness.
    if (!areProven) break
    yield
  }
  const [first] = values.keys()
  return { blobs, unverified: first && { type: 'blob', data: hexToBytes(first) } }
}

interface WholeBlob {
  sidecar: BlobSidecar
  keys: readonly Hex[]
}

/** Those of which every value is there, each once. Most 48 bytes are no commitment. */
function* wholeBlobs(
  sha256s: readonly Uint8Array[],
  values: ReadonlyMap<Hex, Uint8Array>,
): Generator<WholeBlob> {
  const seen = new Set<Hex>()
  for (const commitment of sha256s) {
    if (commitment.length !== COMMITMENT_SIZE) continue
    const hex = bytesToHex(commitment)
    const whole = seen.has(hex) ? undefined : wholeBlob(commitment, values)
    seen.add(hex)
    if (whole) yield whole
  }
}

/** undefined at the first value that is missing. */
function wholeBlob(
  commitment: Uint8Array,
  values: ReadonlyMap<Hex, Uint8Array>,
): WholeBlob | undefined {
  const blob = new Uint8Array(FIELD_ELEMENTS * ELEMENT_SIZE)
  const keys: Hex[] = []
  let at = 0
  for (const { data } of blobKeys(commitment)) {
    const key = bytesToHex(data)
    const value = values.get(key)
    if (!value) return undefined
    keys.push(key)
    if (at === blob.length) return { sidecar: { blob, commitment, proof: value }, keys }
    if (value.length !== ELEMENT_SIZE) return undefined
    blob.set(value, at)
    at += ELEMENT_SIZE
  }
  return undefined
}

function* inPieces<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let piece: T[] = []
  for (const item of items) {
    piece.push(item)
    if (piece.length < size) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}
