import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import type { Hash, Hex } from '#protocol/types/bytes'
import { BLOCKS_REMEMBERED } from '../blocks-remembered.ts'
import type { ArchivedBlock, L1Archive } from './l1-archive.ts'
import type { L1BlockJson, L1LogJson } from './l1-json.ts'
import { type LogQuery, matchLog } from './match-log.ts'

/**
 * What a method's answer should be, given anvil's. Undefined: that one is right.
 * @throws JsonRpcError 4444 for what is gone from the archive, too
 */
export type Recall = (
  params: readonly unknown[],
  answer: unknown,
) => Promise<{ result: unknown } | undefined>

/** Logs up to so many blocks below the head come from the archive, newer ones from anvil. */
const NEWER = BLOCKS_REMEMBERED / 2

/**
 * Beyond BLOCKS_REMEMBERED anvil has a block's header only, and answers as if it had held no
 * transactions. By method: what brings back from the archive what such an answer lacks.
 * @throws JsonRpcError 4444 for what is gone from the archive, too; the functions of the map do
 */
export function recallMethods(anvil: RpcClient, archive: L1Archive): ReadonlyMap<string, Recall> {
  async function header(selector: unknown): Promise<L1BlockJson | null> {
    const { blockHash, blockNumber } = Object(selector) as Record<string, unknown>
    const block = blockHash ?? blockNumber ?? selector
    const byHash = typeof block === 'string' && block.length === 66
    const method = byHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    return (await anvil.request(method, [block, false])) as L1BlockJson | null
  }

  /** Undefined where anvil forgot nothing. */
  async function forgotten(block: L1BlockJson | null): Promise<ArchivedBlock | undefined> {
    if (!block || block.transactions.length > 0) return undefined
    if (block.transactionsRoot === EMPTY_TRIE_ROOT) return undefined
    const archived = await archive.block(block.hash)
    if (!archived) throw new JsonRpcError(4444, 'pruned history unavailable')
    return archived
  }

  /** Block and position of a transaction that anvil has forgotten. */
  async function forgottenTransaction(hash: unknown) {
    const place = archive.place(String(hash).toLowerCase() as Hash)
    // Asked of anvil, because L1 may have been reorganised meanwhile.
    const block = place && (await forgotten(await header(`0x${place.number.toString(16)}`)))
    const transaction = block?.block.transactions[place!.position]
    if (!block || transaction?.hash !== String(hash).toLowerCase()) return undefined
    return { transaction, receipt: block.receipts[place!.position]! }
  }

  const whole: Recall = async ([, full], answer) => {
    const archived = await forgotten(answer as L1BlockJson | null)
    if (!archived) return undefined
    const { block } = archived
    const transactions = full ? block.transactions : block.transactions.map(({ hash }) => hash)
    return { result: { ...block, transactions } }
  }

  /** For answers about one block: `read` gives the right one. */
  const ofBlock =
    (
      isLacking: (answer: unknown) => boolean,
      read: (block: ArchivedBlock, params: readonly unknown[]) => unknown,
    ): Recall =>
    async (params, answer) => {
      if (!isLacking(answer)) return undefined
      const archived = await forgotten(await header(params[0]))
      return archived && { result: read(archived, params) }
    }
  const isNothing = (answer: unknown) =>
    answer === null || answer === '0x0' || (Array.isArray(answer) && answer.length === 0)

  /** For answers about one transaction. */
  const ofTransaction =
    (
      read: (found: NonNullable<Awaited<ReturnType<typeof forgottenTransaction>>>) => unknown,
    ): Recall =>
    async ([hash], answer) => {
      if (answer !== null) return undefined
      const found = await forgottenTransaction(hash)
      return found && { result: read(found) }
    }
  const trace: Recall = async ([hash]) => {
    const known = await anvil.request('eth_getTransactionByHash', [hash])
    if (known === null && (await forgottenTransaction(hash)))
      throw new JsonRpcError(4444, 'pruned history unavailable')
    return undefined
  }

  const transactionAt = ofBlock(
    isNothing,
    ({ block }, [, index]) => block.transactions[Number(index)] ?? null,
  )
  const count = ofBlock(isNothing, ({ block }) => hex(block.transactions.length))

  async function numberOf(tag: unknown, fallback: string): Promise<number> {
    if (tag === 'earliest') return 0
    if (typeof tag === 'string' && tag.startsWith('0x')) return Number(tag)
    return Number((await header(tag ?? fallback))?.number ?? 0)
  }

  const logs: Recall = async ([filter]) => {
    const { fromBlock, toBlock, blockHash, ...query } = Object(filter) as Record<string, unknown> &
      LogQuery
    const matching = (some: L1LogJson[]) => some.filter((log) => matchLog(log, query))
    if (blockHash !== undefined) {
      const archived = await forgotten(await header(blockHash))
      return archived && { result: matching(archived.receipts.flatMap((each) => each.logs)) }
    }
    const [from, to] = [await numberOf(fromBlock, 'latest'), await numberOf(toBlock, 'latest')]
    const border = Math.min(to, (await numberOf('latest', 'latest')) - NEWER)
    if (from > border) return undefined
    if (archive.lowest === undefined || from < archive.lowest)
      throw new JsonRpcError(4444, 'pruned history unavailable')
    const result: unknown[] = []
    for await (const some of archive.logs(from, border)) result.push(...matching(some))
    if (border < to) {
      const rest = { ...query, fromBlock: hex(border + 1), toBlock: toBlock ?? 'latest' }
      result.push(...((await anvil.request('eth_getLogs', [rest])) as unknown[]))
    }
    return { result }
  }

  return new Map<string, Recall>([
    ['eth_getBlockByHash', whole],
    ['eth_getBlockByNumber', whole],
    ['eth_getBlockReceipts', ofBlock(isNothing, ({ receipts }) => receipts)],
    ['eth_getBlockTransactionCountByHash', count],
    ['eth_getBlockTransactionCountByNumber', count],
    ['eth_getTransactionByBlockHashAndIndex', transactionAt],
    ['eth_getTransactionByBlockNumberAndIndex', transactionAt],
    ['eth_getTransactionByHash', ofTransaction(({ transaction }) => transaction)],
    ['eth_getTransactionReceipt', ofTransaction(({ receipt }) => receipt)],
    [
      'anvil_getBlobsByTransactionHash',
      ofTransaction(({ transaction }) => transaction.blobs ?? null),
    ],
    ['eth_getLogs', logs],
    ['debug_traceTransaction', trace],
    ['trace_transaction', trace],
  ])
}

/** The blobs of an archived block, all or those with the hashes. */
export function blobsOf({ block }: ArchivedBlock, hashes: readonly string[]): Hex[] {
  return block.transactions.flatMap(({ blobs = [], blobVersionedHashes = [] }) =>
    blobs.filter((_, i) => hashes.length === 0 || hashes.includes(blobVersionedHashes[i] ?? '')),
  )
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`
}
