import { hexToBytes } from '@ethereumjs/util'
import { isHex } from 'viem'
import { RollbedError } from '../../../enclave-sim/errors/rollbed-error.ts'
import type { Hash } from '../../../enclave-sim/execution/types.ts'
import { toVersionedHash } from '../../../enclave-sim/oracle/blob-preimages.ts'

/** The L1 block in which blobs are looked for. */
export interface BlobBlock {
  number: bigint
  /** Seconds. */
  timestamp: bigint
}

/** Blobs of a consensus node, by its beacon API. */
export interface BeaconClient {
  /** What the node says is the blob with this hash. @throws BLOB_UNAVAILABLE, BEACON_UNREACHABLE */
  blob(versionedHash: Hash, block: BlobBlock, signal?: AbortSignal): Promise<Uint8Array>
}

/**
 * Reads `GET /eth/v1/beacon/blobs/{slot}` (Fulu), or where a node does not have it yet
 * `/eth/v1/beacon/blob_sidecars/{slot}`. anvil has no slots: there the number of a block is its id,
 * and no `/eth/v1/config/spec` says otherwise.
 */
export function beaconClient(url: string): BeaconClient {
  const base = url.replace(/\/$/, '')
  let slots: Promise<{ genesis: bigint; seconds: bigint } | undefined> | undefined

  async function get(path: string, signal?: AbortSignal): Promise<unknown> {
    let response: Response
    try {
      response = await fetch(`${base}${path}`, signal ? { signal } : {})
    } catch (cause) {
      signal?.throwIfAborted()
      throw new RollbedError('BEACON_UNREACHABLE', 'The L1 beacon API does not answer.', { cause })
    }
    if (!response.ok) {
      await response.body?.cancel()
      return undefined
    }
    return Object((await response.json()) as unknown).data
  }

  async function readSlots(signal?: AbortSignal) {
    const spec = Object(await get('/eth/v1/config/spec', signal))
    if (!spec.SECONDS_PER_SLOT) return undefined
    const { genesis_time } = Object(await get('/eth/v1/beacon/genesis', signal))
    return { genesis: BigInt(genesis_time), seconds: BigInt(spec.SECONDS_PER_SLOT) }
  }

  async function blockId({ number, timestamp }: BlobBlock, signal?: AbortSignal): Promise<bigint> {
    slots ??= readSlots(signal)
    slots.catch(() => {
      slots = undefined
    })
    const known = await slots
    return known ? (timestamp - known.genesis) / known.seconds : number
  }

  return {
    async blob(versionedHash, block, signal) {
      const id = await blockId(block, signal)
      const blobs = await get(
        `/eth/v1/beacon/blobs/${id}?versioned_hashes=${versionedHash}`,
        signal,
      )
      const blob: unknown = Array.isArray(blobs)
        ? blobs[0]
        : await sidecarBlob(`/eth/v1/beacon/blob_sidecars/${id}`, versionedHash, signal)
      if (isHex(blob)) return hexToBytes(blob)
      throw new RollbedError(
        'BLOB_UNAVAILABLE',
        `The beacon API has no blob ${versionedHash} in block ${id}.`,
        { hint: 'Consensus nodes keep blobs for some 18 days unless told otherwise.' },
      )
    },
  }

  async function sidecarBlob(path: string, versionedHash: Hash, signal?: AbortSignal) {
    const sidecars = await get(path, signal)
    if (!Array.isArray(sidecars)) return undefined
    const found = sidecars.map(Object).find(({ kzg_commitment: commitment }) => {
      return isHex(commitment) && toVersionedHash(hexToBytes(commitment)) === versionedHash
    })
    return found?.blob as unknown
  }
}
