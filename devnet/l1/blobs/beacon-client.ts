import { isHex } from 'viem'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import type { Hash } from '#protocol/types/bytes'
import { getJson } from './get-json.ts'

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

interface Slots {
  genesis: bigint
  seconds: bigint
}

/**
 * Reads `GET /eth/v1/beacon/blobs/{slot}` (Fulu), or where a node does not have it yet
 * `/eth/v1/beacon/blob_sidecars/{slot}`. anvil has no slots: there the number of a block is its id,
 * and no `/eth/v1/config/spec` says otherwise.
 * @throws BLOB_UNAVAILABLE, BEACON_UNREACHABLE; its methods do
 */
export function beaconClient(url: string): BeaconClient {
  const base = url.replace(/\/$/, '')
  const get = async (path: string, signal?: AbortSignal) =>
    Object(await getJson(`${base}${path}`, signal)).data as unknown
  /** null where there are none; undefined before it was asked for. */
  let slots: Slots | null | undefined

  async function readSlots(signal?: AbortSignal): Promise<Slots | null> {
    const { SECONDS_PER_SLOT: seconds } = Object(await get('/eth/v1/config/spec', signal))
    if (seconds === undefined) return null
    const { genesis_time } = Object(await get('/eth/v1/beacon/genesis', signal))
    if (![seconds, genesis_time].every((value) => /^[1-9]\d{0,18}$/.test(value)))
      throw new BeaconUnreachable(base, 'it does not say when its slots are')
    return { genesis: BigInt(genesis_time), seconds: BigInt(seconds) }
  }

  async function blockId({ number, timestamp }: BlobBlock, signal?: AbortSignal): Promise<bigint> {
    if (slots === undefined) slots = await readSlots(signal)
    return slots ? (timestamp - slots.genesis) / slots.seconds : number
  }

  async function sidecarBlob(id: bigint, versionedHash: Hash, signal?: AbortSignal) {
    const sidecars = await get(`/eth/v1/beacon/blob_sidecars/${id}`, signal)
    if (!Array.isArray(sidecars)) return undefined
    const found = sidecars.map(Object).find(({ kzg_commitment: commitment }) => {
      return isHex(commitment) && toVersionedHash(hexToBytes(commitment)) === versionedHash
    })
    return found?.blob as unknown
  }

  return {
    async blob(versionedHash, block, signal) {
      try {
        const id = await blockId(block, signal)
        const query = `versioned_hashes=${versionedHash}`
        const blobs = await get(`/eth/v1/beacon/blobs/${id}?${query}`, signal)
        const blob: unknown = Array.isArray(blobs)
          ? blobs[0]
          : await sidecarBlob(id, versionedHash, signal)
        if (isHex(blob) && blob.length % 2 === 0) return hexToBytes(blob)
        throw new BlobUnavailable(versionedHash, id)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof RollbedError) throw error
        throw new BeaconUnreachable(base, reason(error as Error))
      }
    },
  }
}

/** `fetch` says only that it failed; why is beneath. */
function reason({ message, cause }: Error): string {
  const { code, message: deeper } = Object(cause) as { code?: string; message?: string }
  return code ?? deeper ?? message
}

class BlobUnavailable extends RollbedError {
  constructor(versionedHash: Hash, id: bigint) {
    super('BLOB_UNAVAILABLE', `The beacon API has no blob ${versionedHash} in block ${id}.`, {
      hint: 'Consensus nodes keep blobs for some 18 days unless told otherwise.',
    })
  }
}

/** No answer, or none that makes sense: another attempt may get one. */
export class BeaconUnreachable extends RollbedError {
  constructor(url: string, why: string) {
    // Providers put API keys into paths and queries: only the origin is shown.
    const origin = URL.canParse(url) ? new URL(url).origin : 'the given URL'
    super('BEACON_UNREACHABLE', `No answer from the L1 beacon API at ${origin}: ${why}.`, {
      hint: 'Check that the consensus node runs and that the beacon URL is right.',
    })
  }
}
