import { positional } from '#devnet/base/json-rpc/params/positional'
import { blockJson } from '../../json/block-json.ts'
import { transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import { otsReceipt } from './ots-receipt.ts'
import { parsePageSize, parsePlainBlock, parsePlainNumber } from './parse-plain-number.ts'

/** 0x and four bytes. */
const SELECTOR_LENGTH = 10

/**
 * `ots_getBlockTransactions [block, page, pageSize]`: a page of a block's transactions in their order,
 * their `input` cut to the selector, and their receipts without logs. Page 0 holds the last, as Erigon and
 * Silkworm page: Otterscan shows each page backwards, so that the newest of the block comes first.
 * @throws JsonRpcError -32602, -32001
 */
export const otsGetBlockTransactions: NodeMethod = (rpc, params) => {
  const [blockParam, page, pageSize] = positional(params)
  const block = requirePublishedBlock(rpc, parsePlainBlock(blockParam, 'block'))
  const size = parsePageSize(pageSize, 'pageSize')
  const end = block.transactions.length - Number(parsePlainNumber(page, 'page')) * size
  const indexes = [...block.transactions.keys()].slice(Math.max(end - size, 0), Math.max(end, 0))
  return {
    fullblock: {
      ...blockJson(block, false, rpc.profile),
      logsBloom: null,
      transactionCount: block.transactions.length,
      transactions: indexes.map((index) => {
        const transaction = transactionJson(block, index, rpc.profile)
        return { ...transaction, input: transaction.input.slice(0, SELECTOR_LENGTH) }
      }),
    },
    receipts: indexes.map((index) => otsReceipt(block, index)),
  }
}
