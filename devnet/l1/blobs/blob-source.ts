import { BLOB_SIZE } from '#protocol/derivation/blob-encoding'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import type { BlobSidecar } from '#protocol/oracle/preimage-oracle'
import type { Hash } from '#protocol/types/bytes'
import type { BeaconClient, BlobBlock } from './beacon-client.ts'
import type { Kzg } from './kzg.ts'

/** Blobs on L1, believed only where they hash. */
export interface BlobSource {
  /** @throws BLOB_UNAVAILABLE, BLOB_MISMATCH, BEACON_UNREACHABLE; the signal's reason */
  blob(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal): Promise<Uint8Array>
  /** With what an enclave needs to verify it. @throws as `blob` */
  sidecar(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal): Promise<BlobSidecar>
}

/**
 * Reads blobs from a beacon API, which does not give commitments and proofs: `kzg` makes them.
 * @throws BLOB_MISMATCH, and what the beacon client throws; its methods do
 */
export function blobSource(beacon: BeaconClient, kzg: Kzg): BlobSource {
  async function checked(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal) {
    const blob = await beacon.blob(versionedHash, block, signal)
    if (blob.length !== BLOB_SIZE) throw new BlobMismatch(versionedHash)
    const commitment = await kzg.commit(blob, signal).catch((cause: unknown) => {
      if (cause instanceof RollbedError && cause.code === 'BLOB_MALFORMED')
        throw new BlobMismatch(versionedHash, { cause })
      throw cause
    })
    if (toVersionedHash(commitment) !== versionedHash) throw new BlobMismatch(versionedHash)
    return { blob, commitment }
  }

  return {
    blob: async (...args) => (await checked(...args)).blob,
    async sidecar(...args) {
      const { blob, commitment } = await checked(...args)
      return { blob, commitment, proof: await kzg.prove(blob, commitment, args[2]) }
    },
  }
}

class BlobMismatch extends RollbedError {
  constructor(versionedHash: Hash, options: { cause?: unknown } = {}) {
    super('BLOB_MISMATCH', `The beacon API gave a blob that is not ${versionedHash}.`, {
      ...options,
      hint: 'Its node is broken, or of another network than the L1 RPC URL.',
    })
  }
}
