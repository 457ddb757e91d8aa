import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'

/** A sealed block and the receipts that the node serves of it. */
export interface BlockReceipts {
  block: JsonObject
  receipts: readonly JsonObject[]
}

/** Blocks in a row with the logs of their receipts: what a filter finds there is known. */
export interface LogIndex {
  first: bigint
  last: bigint
  hashes: readonly unknown[]
  /** In chain order. */
  logs: readonly JsonObject[]
}

/** @throws CaseFailure where a block has no number, or a receipt no logs */
export function indexLogs(blocks: readonly BlockReceipts[]): LogIndex {
  const numbers = blocks.map(({ block }) => expectQuantity(block.number, 'block.number'))
  return {
    first: numbers[0] ?? 0n,
    last: numbers.at(-1) ?? -1n,
    hashes: blocks.map(({ block }) => block.hash),
    logs: blocks.flatMap(({ block, receipts }) =>
      receipts.flatMap((receipt) =>
        expectArray(receipt.logs, 'receipt.logs').map((log) => {
          const { address, topics, data, logIndex } = expectObject(log, 'receipt.logs[]')
          return {
            address: String(address).toLowerCase(),
            topics,
            data,
            blockNumber: block.number,
            blockHash: block.hash,
            blockTimestamp: block.timestamp,
            transactionHash: receipt.transactionHash,
            transactionIndex: receipt.transactionIndex,
            logIndex,
          }
        }),
      ),
    ),
  }
}

/**
 * The logs that a filter finds; undefined where the index does not know, or no document does: bounds
 * outside or by tag, and the corners of OPEN-20.
 */
export function answerFrom(index: LogIndex, filter: JsonObject): JsonObject[] | undefined {
  const within = boundsOf(index, filter)
  const fits = criteriaOf(filter)
  return within && fits && index.logs.filter((log) => within(log) && fits(log))
}

/** What a filter asks of a log beside its block; undefined where no document says (OPEN-20). */
export function criteriaOf(filter: JsonObject): ((log: JsonObject) => boolean) | undefined {
  const topics = filter.topics ?? []
  if (!Array.isArray(topics) || topics.length > 4 || topics.at(-1) === null) return undefined
  if (topics.some((each) => Array.isArray(each) && each.length === 0)) return undefined
  const addresses = lower(filter.address === undefined ? [] : [filter.address].flat())
  return ({ address, topics: listed }) => {
    const own = lower(listed as unknown[])
    const isFrom = addresses.length === 0 || addresses.includes(String(address).toLowerCase())
    return (
      isFrom &&
      topics.every((wanted, at) => wanted === null || lower([wanted].flat()).includes(own[at]!))
    )
  }
}

/** Whether an answer to the filter may have pre-confirmed logs in it. */
export function isIntoPending(filter: unknown): boolean {
  const { fromBlock, toBlock } = Object(filter) as JsonObject
  return fromBlock === 'pending' || toBlock === 'pending'
}

function boundsOf(index: LogIndex, filter: JsonObject) {
  const { blockHash, fromBlock, toBlock } = filter
  if (blockHash !== undefined) {
    const [hash] = lower([blockHash])
    return index.hashes.includes(hash) ? (log: JsonObject) => log.blockHash === hash : undefined
  }
  const [from, to] = [fromBlock, toBlock].map(heightOf)
  if (from === undefined || to === undefined || from > to) return undefined
  if (from < index.first || to > index.last) return undefined
  return (log: JsonObject) => {
    const height = BigInt(String(log.blockNumber))
    return height >= from && height <= to
  }
}

function heightOf(bound: unknown): bigint | undefined {
  return typeof bound === 'string' && /^0x[0-9a-f]+$/i.test(bound) ? BigInt(bound) : undefined
}

function lower(values: readonly unknown[]): string[] {
  return values.map((value) => String(value).toLowerCase())
}
