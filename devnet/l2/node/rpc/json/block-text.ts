import type { Block } from '#protocol/types/block'
import { toQuantity } from './hex.ts'
import { millisecondsOf } from './milliseconds-json.ts'

/**
 * JSON of what `blockJson` shows of a sealed block: nothing in it needs an escape, and the object would be
 * made only to be read once.
 * @param transactions as elements of a JSON array
 * @param more members, each behind a comma
 */
export function blockText(block: Block, transactions: string, more = ''): string {
  const { header, hash, size } = block
  const ms = millisecondsOf(block)
  return (
    `{"number":"${toQuantity(header.number)}"` +
    `,"hash":"${hash}"` +
    `,"parentHash":"${header.parentHash}"` +
    `,"nonce":"${header.nonce}"` +
    `,"sha3Uncles":"${header.sha3Uncles}"` +
    `,"logsBloom":"${header.logsBloom}"` +
    `,"transactionsRoot":"${header.transactionsRoot}"` +
    `,"stateRoot":"${header.stateRoot}"` +
    `,"receiptsRoot":"${header.receiptsRoot}"` +
    `,"miner":"${header.miner}"` +
    `,"difficulty":"${toQuantity(header.difficulty)}"` +
    `,"mixHash":"${header.mixHash}"` +
    `,"extraData":"${header.extraData}"` +
    `,"gasLimit":"${toQuantity(header.gasLimit)}"` +
    `,"gasUsed":"${toQuantity(header.gasUsed)}"` +
    `,"timestamp":"${toQuantity(header.timestamp)}"` +
    `,"withdrawalsRoot":"${header.withdrawalsRoot}"` +
    `,"baseFeePerGas":"${toQuantity(header.baseFeePerGas)}"` +
    `,"blobGasUsed":"${toQuantity(header.blobGasUsed)}"` +
    `,"excessBlobGas":"${toQuantity(header.excessBlobGas)}"` +
    `,"parentBeaconBlockRoot":"${header.parentBeaconBlockRoot}"` +
    `,"requestsHash":"${header.requestsHash}"` +
    (ms === undefined ? '' : `,"timestampMs":"${ms}"`) +
    `,"size":"${toQuantity(size)}"` +
    `,"transactions":[${transactions}]` +
    `,"uncles":[],"withdrawals":[]${more}}`
  )
}
