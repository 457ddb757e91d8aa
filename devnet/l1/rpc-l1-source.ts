import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { decodeL1Header, type L1Header } from '#protocol/derivation/l1-header'
import { type L1Source, readReceipt } from '#protocol/derivation/l1-source'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Hash } from '#protocol/types/bytes'
import type { BlobSource } from './blobs/blob-source.ts'
import { l1Receipts, l1Transactions } from './l1-lists.ts'
import { type HeaderReader, headerReader } from './raw-header.ts'

const MAX_HEADERS = 1_000

export interface RpcL1SourceOptions {
  signal?: AbortSignal
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
  /** For whoever makes a source per block: knows from one to the next how the node gives headers. */
  readHeader?: HeaderReader
}

/**
 * L1 over JSON-RPC, believed only where it hashes: headers to the hash asked for, transactions and
 * receipts to the roots in the header, blobs to the hashes in their transaction.
 * @throws RollbedError L1_ROOT_MISMATCH, BLOBS_NOT_READ; its methods do
 */
export function rpcL1Source(rpc: RpcClient, options: RpcL1SourceOptions = {}): L1Source {
  const { signal, blobs, readHeader = headerReader(rpc) } = options
  const headers = new Map<Hash, L1Header>()

  async function header(hash: Hash): Promise<L1Header> {
    const known = headers.get(hash)
    if (known) return known
    const decoded = decodeL1Header(hash, await readHeader(hash, signal))
    headers.set(hash, decoded)
    if (headers.size > MAX_HEADERS) headers.delete(headers.keys().next().value!)
    return decoded
  }

  function checked(list: Uint8Array[], root: Hash, blockHash: Hash): Uint8Array[] {
    if (orderedTrieRoot(list) === root) return list
    throw new RollbedError('L1_ROOT_MISMATCH', `L1 gave a list not of block ${blockHash}.`, {
      hint: 'The L1 endpoint is broken, or has a transaction type that cannot be encoded again.',
    })
  }

  return {
    header,
    async transactions(blockHash) {
      const { transactionsRoot } = await header(blockHash)
      const list = await l1Transactions(rpc, blockHash, signal)
      return checked(list, transactionsRoot, blockHash)
    },
    async receipts(blockHash) {
      const { receiptsRoot } = await header(blockHash)
      const list = await l1Receipts(rpc, blockHash, signal)
      return checked(list, receiptsRoot, blockHash).map(readReceipt)
    },
    async blob(versionedHash, block) {
      if (blobs) return await blobs.blob(versionedHash, block, signal)
      throw new RollbedError(
        'BLOBS_NOT_READ',
        `L1 block ${block.number} has batches in a blob, and no beacon API was given.`,
      )
    },
  }
}
