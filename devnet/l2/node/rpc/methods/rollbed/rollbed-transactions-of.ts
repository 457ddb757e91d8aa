import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseOptionalQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Block } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import { toQuantity } from '../../json/hex.ts'
import { transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { onOneChain } from '../../selector/on-one-chain.ts'

/** A page ends with the block in which it has so many. */
const PAGE_SIZE = 25
/** Blocks that one call reads at most: about a second of reading where they are on disk. */
const MOST_BLOCKS = 10_000n

/**
 * `rollbed_transactionsOf [address, before?]` → `{transactions, before}`: the newest sealed transactions
 * that an address sent, received, was created by or left a log in, newest first, 25 or a few more.
 * `before` is the block number to give with the next call, null where the chain begins; a page is
 * empty where 10,000 blocks have none. Nothing is executed, so calls inside of a transaction that left
 * no log are not seen: `ots_searchTransactionsBefore` sees them.
 * @throws JsonRpcError -32602
 */
export const rollbedTransactionsOf: NodeMethod = async (rpc, params, { signal }) => {
  const [account, end] = positional(params)
  const address = parseAddress(account, 'address')
  const before = parseOptionalQuantity(end, 'before', 64)
  return onOneChain(rpc, signal, async (pause) => {
    const newest = rpc.chain.latest().header.number
    const first = before === undefined || before > newest ? newest : before - 1n
    const transactions: ReturnType<typeof transactionJson>[] = []
    for (let at = first; at >= 0n; at--) {
      const isOver = transactions.length >= PAGE_SIZE || first - at >= MOST_BLOCKS
      if (isOver) return { transactions, before: toQuantity(at + 1n) }
      const block = rpc.chain.blockByNumber(at)
      // The chain of a fork begins later than at 0.
      if (!block) break
      for (const index of placesOf(address, block).reverse()) {
        transactions.push(transactionJson(block, index, rpc.profile))
      }
      await pause()
    }
    return { transactions, before: null }
  })
}

/** Indices of the transactions that an address had a part in. */
function placesOf(address: Address, { transactions, receipts }: Block): number[] {
  return transactions.flatMap(({ from, to }, index) => {
    const { contractAddress, logs } = receipts[index]!
    const isPart =
      from === address ||
      to === address ||
      contractAddress === address ||
      logs.some((log) => log.address === address)
    return isPart ? [index] : []
  })
}
