import { setImmediate } from 'node:timers/promises'
import { positional } from '#devnet/base/json-rpc/params/positional'
import {
  type AttributionTally,
  addToTally,
  type CodeTally,
} from '../../attribution/attribution-tally.ts'
import { parseStatsRange } from '../../attribution/stats-range.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'

/**
 * `rollbed_attributionStats [{fromBlock?, toBlock?}]`: per builder code, how many transactions
 * carried it and what gas their suffixes cost; pre-confirmed ones count when toBlock is `pending`,
 * which is the default. Busiest codes first.
 *
 * @throws JsonRpcError -32602, -32614 for a range over 2,000
 */
export const rollbedAttributionStats: NodeMethod = async (rpc, params, { signal }) => {
  const range = parseStatsRange(rpc, positional(params)[0])
  const tally: AttributionTally = { transactions: 0, codes: new Map() }
  for (const block of range.blocks) {
    signal.throwIfAborted()
    addToTally(tally, block)
    // Thousands of full blocks take a while; other requests go between them.
    await setImmediate()
  }
  return {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    pending: range.pending,
    transactions: toQuantity(tally.transactions),
    codes: [...tally.codes.values()].sort(busiestFirst).map((sums) => tallyJson(rpc, sums)),
  }
}

function busiestFirst(a: CodeTally, b: CodeTally): number {
  return b.transactions - a.transactions || (a.code < b.code ? -1 : 1)
}

function tallyJson(rpc: NodeRpc, sums: CodeTally) {
  return {
    code: sums.code,
    wallet: rpc.walletOf(sums.code) ?? null,
    transactions: toQuantity(sums.transactions),
    suffixBytes: toQuantity(sums.suffixBytes),
    gas: toQuantity(sums.gas),
    floorGas: toQuantity(sums.floorGas),
    calldataGas: toQuantity(sums.calldataGas),
    gasUsed: toQuantity(sums.gasUsed),
  }
}
