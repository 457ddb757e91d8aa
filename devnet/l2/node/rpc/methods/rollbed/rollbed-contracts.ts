import { parseOptionalQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Block } from '#protocol/types/block'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { walkBack } from './walk-back.ts'

/**
 * `rollbed_contracts [before?]` → `{contracts, before}`: what sealed transactions created, newest first,
 * each `{address, creator, transactionHash, blockNumber}`; pages as of `rollbed_transactionsOf`. Contracts
 * that other contracts created are not among them.
 * @throws JsonRpcError -32602
 */
export const rollbedContracts: NodeMethod = async (rpc, params, { signal }) => {
  const start = parseOptionalQuantity(positional(params)[0], 'before', 64)
  const { found, before } = await walkBack(rpc, start, signal, createdIn)
  return { contracts: found, before }
}

function createdIn({ header, transactions, receipts }: Block) {
  return transactions
    .flatMap(({ from, hash }, index) => {
      const { contractAddress, status } = receipts[index]!
      if (contractAddress === null || status === 0) return []
      const blockNumber = toQuantity(header.number)
      return [{ address: contractAddress, creator: from, transactionHash: hash, blockNumber }]
    })
    .reverse()
}
