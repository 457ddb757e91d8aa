import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Block, Log } from '#protocol/types/block'
import { isSealed } from '../../chain-view.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { toQuantity, ZERO_HASH } from './hex.ts'
import { millisecondsOf, placeMillisecondsJson } from './milliseconds-json.ts'

/** A log and where it stands: indexes count over the whole block (RPC-LOG-09, -11). */
export interface PlacedLog {
  log: Log
  transactionIndex: number
  logIndex: number
}

/** The logs of a block in order, of the transactions from one index to before another. */
export function* placedLogs(
  { receipts }: ReadableBlock,
  from = 0,
  to = receipts.length,
): Generator<PlacedLog> {
  let logIndex = 0
  for (let index = 0; index < from; index++) logIndex += receipts[index]!.logs.length
  for (let transactionIndex = from; transactionIndex < to; transactionIndex++) {
    for (const log of receipts[transactionIndex]!.logs) {
      yield { log, transactionIndex, logIndex: logIndex++ }
    }
  }
}

/**
 * A log with the ten fields of the spec (RPC-LOG-01). Pre-confirmed ones have the number and time of
 * the block being built and a zero hash (OPEN-09). Since Denim sealed ones have `blockTimestampMs`, too.
 */
export function logJson(block: ReadableBlock, placed: PlacedLog, removed = false) {
  return {
    address: placed.log.address,
    topics: placed.log.topics,
    data: bytesToHex(placed.log.data),
    blockNumber: toQuantity(block.header.number),
    blockTimestamp: toQuantity(block.header.timestamp),
    ...placeMillisecondsJson(block),
    transactionHash: block.transactions[placed.transactionIndex]!.hash,
    transactionIndex: toQuantity(placed.transactionIndex),
    blockHash: isSealed(block) ? block.hash : ZERO_HASH,
    logIndex: toQuantity(placed.logIndex),
    removed,
  }
}

/** Writes logs of a sealed block as JSON: the text of what `logJson` gives. */
export function logWriter(block: Block): (placed: PlacedLog) => string {
  const { header, hash, transactions } = block
  const [number, time] = [toQuantity(header.number), toQuantity(header.timestamp)]
  const ms = millisecondsOf(block)
  const msText = ms === undefined ? '' : `,"blockTimestampMs":"${ms}"`
  const inBlock = `"blockNumber":"${number}","blockTimestamp":"${time}"${msText}`
  return ({ log, transactionIndex, logIndex }) => {
    const { address, topics, data } = log
    const topicTexts = topics.length === 0 ? '' : `"${topics.join('","')}"`
    const what = `"address":"${address}","topics":[${topicTexts}],"data":"${bytesToHex(data)}"`
    const transactionHash = transactions[transactionIndex]!.hash
    const index = toQuantity(transactionIndex)
    return `{${what},${inBlock},"transactionHash":"${transactionHash}","transactionIndex":"${index}","blockHash":"${hash}","logIndex":"${toQuantity(logIndex)}","removed":false}`
  }
}
