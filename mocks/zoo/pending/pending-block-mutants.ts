import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { lastDigit } from '../parts/last-digit.ts'
import { rewriteBlock, rewriteResult } from '../rewrites.ts'

const pending = mutantsOf('pending', 'rpc')

/** The first pending answers after a seal are those of the block that was sealed. */
const lateSeal: Mutant['apply'] = (context) => {
  const newest = new Map<unknown, JsonObject>()
  let late = 0
  return rewriteResult('eth_getBlockByNumber', (result, { params }) => {
    const found = result as JsonObject | null
    if (params[0] !== 'pending' || !found) return found
    const kept = newest.get(params[1])
    if (kept && kept.parentHash !== found.parentHash && ++late < 6) return kept
    late = 0
    newest.set(params[1], found)
    return found
  })(context)
}

/** The base fee that the pending block before had. */
const lateBaseFee: Mutant['apply'] = (context) => {
  let parent: unknown
  let own: unknown
  let before: unknown
  return rewriteBlock((each) => {
    if (each.parentHash !== parent) {
      before = own
      own = each.baseFeePerGas
      parent = each.parentHash
    }
    return { ...each, baseFeePerGas: before ?? own }
  }, 'pending')(context)
}

/** From Jovian on, the header ends with the minimum. */
const leastBaseFee = ({ extraData }: JsonObject) =>
  `0x${BigInt(`0x${String(extraData).slice(-16)}`).toString(16)}`

/** A balancer of several nodes, one of which is behind. */
const behindNowAndThen = (ofLooks: number) => (): MutantHooks => {
  const before: { whole: unknown; block: JsonObject }[] = []
  let looks = 0
  return {
    response(response, { method, params: [tag, whole] }) {
      const block = response.result as JsonObject | undefined
      if (method !== 'eth_getBlockByNumber' || tag !== 'pending' || !block) return response
      const older = before.findLast(
        (each) =>
          each.whole === whole &&
          each.block.parentHash === block.parentHash &&
          asList(each.block.transactions).length < asList(block.transactions).length,
      )
      before.push({ whole, block })
      looks += 1
      return looks % ofLooks === 0 && older ? { ...response, result: older.block } : response
    },
  }
}

/** Mutants of the roots and the list of the pending block, and of when it is renewed. */
export const PENDING_BLOCK_MUTANTS: readonly Mutant[] = [
  pending(
    'RPC-PEND-04',
    'other-receipts-root',
    'The receipts root of the pending block is off at every look',
    rewriteBlock((each) => ({ ...each, receiptsRoot: lastDigit(each.receiptsRoot) }), 'pending'),
  ),
  pending(
    'RPC-PEND-04',
    'late-base-fee',
    'The base fee of the pending block is that of the pending block before',
    lateBaseFee,
  ),
  pending(
    'RPC-PEND-04',
    'least-base-fee',
    'The base fee of the pending block is the least there is, however full the block before was',
    rewriteBlock((each) => ({ ...each, baseFeePerGas: leastBaseFee(each) }), 'pending'),
  ),
  pending(
    'RPC-PEND-04',
    'other-state-root',
    'The state root of the pending block is off at every look',
    rewriteBlock((each) => ({ ...each, stateRoot: lastDigit(each.stateRoot) }), 'pending'),
  ),
  pending(
    'RPC-PEND-04',
    'other-withdrawals-root',
    'The withdrawals root of the pending block is off at every look',
    rewriteBlock(
      (each) => ({ ...each, withdrawalsRoot: lastDigit(each.withdrawalsRoot) }),
      'pending',
    ),
  ),
  pending('RPC-PEND-11', 'late-seal', 'The old pending block after the seal', lateSeal),
  pending(
    'RPC-PEND-06',
    'failed-left-out',
    'Does not list a transaction that reverts',
    rewriteResult('eth_getBlockByNumber', async (result, { params }, { ask }) => {
      if (params[0] !== 'pending' || result === null) return result
      const { transactions } = result as { transactions: (JsonObject | string)[] }
      const statuses = await Promise.all(
        transactions.map(async (each) => {
          const hash = typeof each === 'string' ? each : each.hash
          return ((await ask('eth_getTransactionReceipt', [hash])) as JsonObject | null)?.status
        }),
      )
      const kept = transactions.filter((_, index) => statuses[index] !== '0x0')
      return { ...(result as JsonObject), transactions: kept }
    }),
  ),
  pending(
    'RPC-PEND-06',
    'node-behind',
    'Each fourth look at pending comes from a node that is behind',
    behindNowAndThen(4),
  ),
]
