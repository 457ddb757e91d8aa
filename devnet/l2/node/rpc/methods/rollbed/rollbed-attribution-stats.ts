import { positional } from '#devnet/base/json-rpc/params/positional'
import {
  type AttributionTally,
  addToTally,
  type CodeTally,
} from '../../attribution/attribution-tally.ts'
import { parseStatsRange, type StatsRange } from '../../attribution/stats-range.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { onOneChain, type Pause } from '../../selector/on-one-chain.ts'

/**
 * `rollbed_attributionStats [{fromBlock?, toBlock?}]`: per builder code, how many transactions
 * carried it and what gas their suffixes cost; pre-confirmed ones count when toBlock is `pending`,
 * which is the default. Busiest codes first.
 *
 * @throws JsonRpcError -32602, -32614 for a range over 2,000
 */
export const rollbedAttributionStats: NodeMethod = async (rpc, params, { signal }) => {
  const [query] = positional(params)
  const { range, tally } = await onOneChain(rpc, signal, async (pause) => {
    const range = parseStatsRange(rpc, query)
    return { range, tally: await tallyOf(rpc, range, pause) }
  })
  return {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    pending: range.building !== undefined,
    transactions: toQuantity(tally.transactions),
    codes: [...tally.codes.values()].sort(busiestFirst).map((sums) => tallyJson(rpc, sums)),
  }
}

async function tallyOf(
  rpc: NodeRpc,
  { from, to, building }: StatsRange,
  pause: Pause,
): Promise<AttributionTally> {
  const tally: AttributionTally = { transactions: 0, codes: new Map() }
  const sealed = building ? to - 1n : to
  for (let at = from; at <= sealed; at++) {
    const block = rpc.chain.blockByNumber(at)
    if (block) addToTally(tally, block)
    await pause()
  }
  if (building) addToTally(tally, building)
  return tally
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
