import type { Block } from '#protocol/types/block'
import type { ProfileValues } from '../profile-differences.ts'
import { blockJson } from './block-json.ts'
import { toQuantity } from './hex.ts'
import { millisecondsOf } from './milliseconds-json.ts'

/**
 * JSON of what `blockJson` shows of a sealed block. With hashes it is written at once: nothing in it needs an
 * escape, and the object would be made only to be read once.
 */
export function blockText(block: Block, fullTransactions: boolean, profile: ProfileValues): string {
  if (fullTransactions) return JSON.stringify(blockJson(block, true, profile))
  const { header, hash, size, transactions } = block
  const ms = millisecondsOf(block)
  const hashes = transactions.map((transaction) => transaction.hash).join('","')
  return [
    `{"number":"${toQuantity(header.number)}"`,
    `"hash":"${hash}"`,
    `"parentHash":"${header.parentHash}"`,
    `"nonce":"${header.nonce}"`,
    `"sha3Uncles":"${header.sha3Uncles}"`,
    `"logsBloom":"${header.logsBloom}"`,
    `"transactionsRoot":"${header.transactionsRoot}"`,
    `"stateRoot":"${header.stateRoot}"`,
    `"receiptsRoot":"${header.receiptsRoot}"`,
    `"miner":"${header.miner}"`,
    `"difficulty":"${toQuantity(header.difficulty)}"`,
    `"mixHash":"${header.mixHash}"`,
    `"extraData":"${header.extraData}"`,
    `"gasLimit":"${toQuantity(header.gasLimit)}"`,
    `"gasUsed":"${toQuantity(header.gasUsed)}"`,
    `"timestamp":"${toQuantity(header.timestamp)}"`,
    `"withdrawalsRoot":"${header.withdrawalsRoot}"`,
    `"baseFeePerGas":"${toQuantity(header.baseFeePerGas)}"`,
    `"blobGasUsed":"${toQuantity(header.blobGasUsed)}"`,
    `"excessBlobGas":"${toQuantity(header.excessBlobGas)}"`,
    `"parentBeaconBlockRoot":"${header.parentBeaconBlockRoot}"`,
    `"requestsHash":"${header.requestsHash}"`,
    ...(ms === undefined ? [] : [`"timestampMs":"${ms}"`]),
    `"size":"${toQuantity(size)}"`,
    `"transactions":[${transactions.length === 0 ? '' : `"${hashes}"`}]`,
    '"uncles":[],"withdrawals":[]}',
  ].join()
}
