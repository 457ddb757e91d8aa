import type { Header } from '#protocol/types/block'
import { isSealed } from '../../chain-view.ts'
import type { ProfileValues } from '../profile-differences.ts'
import type { ReadableBlock } from '../selector/readable-block.ts'
import { toQuantity, ZERO_HASH } from './hex.ts'
import { blockMillisecondsJson } from './milliseconds-json.ts'
import { transactionJson } from './transaction-json.ts'

/**
 * A block as `eth_getBlockByNumber` shows it: the 26 fields of the spec, sealed or pending
 * (RPC-BLK-03, RPC-PEND-01), and since Denim `timestampMs`.
 *
 * @param fullTransactions objects instead of hashes.
 */
export function blockJson(block: ReadableBlock, fullTransactions: boolean, profile: ProfileValues) {
  return {
    ...blockIdentity(block, profile),
    ...headerFieldsJson(block.header),
    ...blockMillisecondsJson(block),
    ...(isSealed(block) || profile.pendingSize === 'present'
      ? { size: toQuantity(block.size) }
      : {}),
    transactions: fullTransactions
      ? block.transactions.map((_, index) => transactionJson(block, index, profile))
      : block.transactions.map((transaction) => transaction.hash),
    uncles: [],
    withdrawals: [],
  }
}

/** Number and hash: null while the block is being built (RPC-PEND-02, -03). */
function blockIdentity(block: ReadableBlock, profile: ProfileValues) {
  const number = toQuantity(block.header.number)
  if (isSealed(block)) return { number, hash: block.hash }
  return profile.pendingIdentity === 'null'
    ? { number: null, hash: null }
    : { number, hash: ZERO_HASH }
}

/** The header's own fields but for the number. */
export function headerFieldsJson(header: Header) {
  return {
    parentHash: header.parentHash,
    nonce: header.nonce,
    sha3Uncles: header.sha3Uncles,
    logsBloom: header.logsBloom,
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.miner,
    difficulty: toQuantity(header.difficulty),
    mixHash: header.mixHash,
    extraData: header.extraData,
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    withdrawalsRoot: header.withdrawalsRoot,
    baseFeePerGas: toQuantity(header.baseFeePerGas),
    blobGasUsed: toQuantity(header.blobGasUsed),
    excessBlobGas: toQuantity(header.excessBlobGas),
    parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    requestsHash: header.requestsHash,
  }
}
