import { positional } from '../../../../json-rpc/params/positional.ts'
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
 * their `input` cut to the selector, and their receipts without logs. Page 0 holds the first.
 * @throws JsonRpcError -32602, -32001
 */
export const otsGetBlockTransactions: NodeMethod = (rpc, params) => {
  const [blockParam, page, pageSize] = positional(params)
  const block = requirePublishedBlock(rpc, parsePlainBlock(blockParam, 'block'))
  const size = parsePageSize(pageSize, 'pageSize')
  const first = Number(parsePlainNumber(page, 'page')) * size
  const indexes = [...block.transactions.keys()].slice(first, first + size)
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
