import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { rewriteBlock, rewriteResult, without } from './rewrites.ts'

const block = mutantsOf('block', 'rpc')
const logs = mutantsOf('logs', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')

/** Changes each transaction of a block that comes whole. */
const rewriteTransactions = (change: (transaction: JsonObject) => JsonObject) =>
  rewriteBlock((each) => {
    const transactions = each.transactions as (JsonObject | string)[]
    const changed = transactions.map((one) => (typeof one === 'string' ? one : change(one)))
    return { ...each, transactions: changed }
  })

/** All members but the place in the block. */
const contentOf = (log: JsonObject) => JSON.stringify(without(log, 'logIndex'))

/** Mutants of what the gate had never sent, so that no answer could show them. */
export const UNSENT_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-BLK-23',
    'authorizations-left-out',
    'Leaves the authorizations of a transaction out (EIP-7702)',
    rewriteTransactions((each) => without(each, 'authorizationList')),
  ),
  block(
    'RPC-BLK-23',
    'legacy-parity-as-v',
    'Gives the v of a legacy transaction as a parity',
    rewriteTransactions((each) =>
      each.type === '0x0' ? { ...each, v: `0x${(Number(each.v) + 1) % 2}` } : each,
    ),
  ),
  logs(
    'RPC-GETLOGS-01',
    'twins-once',
    'Takes two equal logs of a transaction for one',
    rewriteResult('eth_getLogs', (result) => {
      const seen = new Set<string>()
      return (result as JsonObject[]).filter((log) => {
        const content = contentOf(log)
        const isNew = !seen.has(content)
        seen.add(content)
        return isNew
      })
    }),
  ),
  simulate(
    'RPC-SIM-04',
    'forty-blocks',
    'Answers forty blocks at most',
    rewriteResult('eth_simulateV1', (blocks) => (blocks as unknown[]).slice(0, 40)),
  ),
]
