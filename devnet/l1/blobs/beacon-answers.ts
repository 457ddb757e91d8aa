import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import type { L1Archive } from '../archive/l1-archive.ts'
import type { L1BlockJson } from '../archive/l1-json.ts'
import { blobsOf } from '../archive/recall.ts'
import { otherBlobs } from './other-blobs.ts'

export interface BeaconAnswer {
  /** Of HTTP. */
  status: number
  body: string
}

export interface BeaconOptions {
  anvil: RpcClient
  archived: L1Archive
  /** Archives what is new on L1. */
  archive(): Promise<void>
  /** Whether blobs shall be others than were posted. */
  lies(): boolean
}

const ZERO_HASH = `0x${'00'.repeat(32)}`

/**
 * The part of the beacon API that anvil has over HTTP, and only there: genesis, and the blobs of a
 * block. A block's id is its number, its hash or a tag of the execution layer.
 *
 * @param url path and query of a GET
 * @returns undefined where there is nothing at this path
 */
export function beaconAnswers(options: BeaconOptions) {
  const { anvil, archived, archive, lies } = options

  async function genesis(): Promise<BeaconAnswer> {
    const { timestamp } = (await anvil.request('eth_getBlockByNumber', ['0x0', false])) as {
      timestamp: string
    }
    const data = {
      genesis_time: String(Number(timestamp)),
      genesis_validators_root: ZERO_HASH,
      genesis_fork_version: '0x00000000',
    }
    return { status: 200, body: JSON.stringify({ data }) }
  }

  async function blobs(id: string, hashes: readonly string[]): Promise<BeaconAnswer> {
    const wrong = hashes.find((hash) => !/^0x[\da-f]{64}$/i.test(hash))
    if (wrong !== undefined) return refusal(400, `Invalid versioned hash: ${wrong}`)
    const method = id.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    const block = /^\d+$/.test(id) ? `0x${Number(id).toString(16)}` : id
    const header = (await anvil.request(method, [block, false])) as L1BlockJson | null
    const data = header && (await blobsIn(header, hashes))
    if (!data) return refusal(404, 'Block not found')
    const body = JSON.stringify({ execution_optimistic: false, finalized: false, data })
    return { status: 200, body: lies() ? otherBlobs(body) : body }
  }

  /** anvil gives the blobs back for a while only. Undefined: they are gone from the archive, too. */
  async function blobsIn(header: L1BlockJson, hashes: readonly string[]) {
    if (header.transactionsRoot === EMPTY_TRIE_ROOT) return []
    let whole = await archived.block(header.hash)
    if (!whole) {
      // Mined just now, perhaps.
      await archive()
      whole = await archived.block(header.hash)
    }
    return whole && blobsOf(whole, hashes)
  }

  return async (url: string): Promise<BeaconAnswer | undefined> => {
    const { pathname, searchParams } = new URL(url, 'http://l1')
    if (pathname === '/eth/v1/beacon/genesis') return await genesis()
    const [, what, id = ''] =
      /^\/eth\/v1\/beacon\/(blobs|blob_sidecars)\/([^/]+)$/.exec(pathname) ?? []
    if (what === 'blob_sidecars')
      return refusal(410, 'Deprecated. Use GET /eth/v1/beacon/blobs/{block_id}.')
    if (what === undefined) return undefined
    const hashes = searchParams.getAll('versioned_hashes').flatMap((some) => some.split(','))
    return BLOCK_ID.test(id) ? await blobs(id, hashes) : refusal(400, `Invalid block ID: ${id}`)
  }
}

const BLOCK_ID =
  /^(\d{1,15}|0x[\da-f]{1,13}|0x[\da-f]{64}|latest|pending|safe|finalized|earliest)$/i

function refusal(code: number, message: string): BeaconAnswer {
  return { status: code, body: JSON.stringify({ code, message }) }
}
