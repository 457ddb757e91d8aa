import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseOptionalQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { L1_ATTRIBUTES_DEPOSITOR } from '#protocol/derivation/l1-attributes'
import type { Block } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import { transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { walkBack } from './walk-back.ts'

/**
 * `rollbed_transactionsOf [address?, before?]` → `{transactions, before}`: the newest sealed transactions
 * that an address sent, received, was created by or left a log in; with null for the address all but
 * the L1 attributes. Newest first, 25 or a few more. `before` is the block number to give with the next
 * call, null where the chain begins; a page is empty where 10,000 blocks have none. Nothing is executed,
 * so calls inside of a transaction that left no log are not seen: `ots_searchTransactionsBefore` sees them.
 * @throws JsonRpcError -32602
 */
export const rollbedTransactionsOf: NodeMethod = async (rpc, params, { signal }) => {
  const [of = null, until] = positional(params)
  const address = of === null ? undefined : parseAddress(of, 'address')
  const start = parseOptionalQuantity(until, 'before', 64)
  const { found, before } = await walkBack(rpc, start, signal, (block) =>
    placesOf(address, block)
      .reverse()
      .map((index) => transactionJson(block, index, rpc.profile)),
  )
  return { transactions: found, before }
}

/** Indices of the transactions that an address had a part in, or of those that somebody sent. */
function placesOf(address: Address | undefined, { transactions, receipts }: Block): number[] {
  return transactions.flatMap(({ from, to }, index) => {
    const { contractAddress, logs } = receipts[index]!
    const isPart =
      address === undefined
        ? from !== L1_ATTRIBUTES_DEPOSITOR
        : from === address ||
          to === address ||
          contractAddress === address ||
          logs.some((log) => log.address === address)
    return isPart ? [index] : []
  })
}
