import { RollbedError } from '../../../enclave-sim/errors/rollbed-error.ts'
import type { Hash } from '../../../enclave-sim/execution/types.ts'
import { toVersionedHash } from '../../../enclave-sim/oracle/blob-preimages.ts'
import type { BlobSidecar } from '../../../enclave-sim/oracle/preimage-oracle.ts'
import { type BlobBlock, beaconClient } from './beacon-client.ts'
import type { Kzg } from './kzg.ts'

/** Blobs on L1, believed only where they hash. */
export interface BlobSource {
  /** @throws BLOB_UNAVAILABLE, BLOB_MISMATCH */
  blob(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal): Promise<Uint8Array>
  /** With what an enclave needs to verify it. @throws BLOB_UNAVAILABLE, BLOB_MISMATCH */
  sidecar(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal): Promise<BlobSidecar>
}

/** Reads blobs from a beacon API, which does not give commitments and proofs: `kzg` makes them. */
export function blobSource(beaconUrl: string, kzg: Kzg): BlobSource {
  const beacon = beaconClient(beaconUrl)

  async function checked(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal) {
    const blob = await beacon.blob(versionedHash, block, signal)
    const commitment = await kzg.commit(blob)
    if (toVersionedHash(commitment) === versionedHash) return { blob, commitment }
    throw new RollbedError(
      'BLOB_MISMATCH',
      `The beacon API gave a blob that is not ${versionedHash}.`,
    )
  }

  return {
    blob: async (...args) => (await checked(...args)).blob,
    async sidecar(...args) {
      const { blob, commitment } = await checked(...args)
      return { blob, commitment, proof: await kzg.prove(blob, commitment) }
    },
  }
}
