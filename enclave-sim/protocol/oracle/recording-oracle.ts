import { blobPreimages } from './blob-preimages.ts'
import { keccakKey, localKey } from './preimage-key.ts'
import type { Preimage, PreimageOracle } from './preimage-oracle.ts'

export interface RecordingOracle extends PreimageOracle {
  /** What was read so far, each value once, in the order of first use; blobs last. */
  preimages(): Preimage[]
}

/**
 * Remembers exactly the values a program reads, so that a run against RPC endpoints leaves the
 * witness of the same run in an enclave, and nothing that was fetched but never used.
 */
export function recordingOracle(backend: PreimageOracle): RecordingOracle {
  const recorded = new Map<string, Preimage>()
  const recordedBlobs = new Map<string, Preimage[]>()

  return {
    preimages: () => [...recorded.values(), ...[...recordedBlobs.values()].flat()],
    peek(hash) {
      const value = backend.peek(hash)
      if (value && !recorded.has(hash)) recorded.set(hash, { key: keccakKey(hash), value })
      return value
    },
    async keccak(hash, hint) {
      const value = await backend.keccak(hash, hint)
      if (!recorded.has(hash)) recorded.set(hash, { key: keccakKey(hash), value })
      return value
    },
    async local(identifier) {
      const value = await backend.local(identifier)
      recorded.set(`local ${identifier}`, { key: localKey(identifier), value })
      return value
    },
    async blob(versionedHash, l1Timestamp) {
      const sidecar = await backend.blob(versionedHash, l1Timestamp)
      if (!recordedBlobs.has(versionedHash)) {
        recordedBlobs.set(versionedHash, blobPreimages(sidecar))
      }
      return sidecar
    },
  }
}
