import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { filterOf } from '../parts/filter-of.ts'
import { rewriteResult, without } from '../rewrites.ts'
import { isUnsealed } from './is-unsealed.ts'

const logs = mutantsOf('logs', 'rpc')

/** One answer in so many is wrong. */
const RARE = 5

/** Milliseconds: less than a look, so that the two around it are of the block before and of the one after. */
const AFTER_SEAL = 60

/** The pending logs of the block before for a moment after a block was seen sealed. */
const logsStay: Mutant['apply'] = ({ clock }) => {
  const kept = new Map<string, unknown>()
  let [head, since]: [unknown, number] = [undefined, 0]
  return {
    response(response, { method, params }) {
      const [at] = params
      const { number } = (response.result ?? {}) as JsonObject
      if (method === 'eth_getBlockByNumber' && at === 'latest' && number !== head)
        [head, since] = [number, clock.now()]
      const { fromBlock } = (at ?? {}) as JsonObject
      if (method !== 'eth_getLogs' || fromBlock !== 'pending' || !response.result) return response
      const question = JSON.stringify(params)
      const old = kept.get(question)
      if (old && clock.now() - since < AFTER_SEAL) return { ...response, result: old }
      kept.set(question, response.result)
      return response
    },
  }
}

/** The pending logs lack the newest each second time: few answers have any. */
const lostLog: Mutant['apply'] = (context) => {
  let met = 0
  return rewriteResult('eth_getLogs', (result, { params }) => {
    const logs = result as unknown[]
    if ((params[0] as JsonObject).fromBlock !== 'pending' || logs.length === 0) return logs
    met += 1
    return met % 2 === 0 ? logs.slice(0, -1) : logs
  })(context)
}

/** Reads a filter at pending in another way now and then. */
const narrowAtPending =
  (change: (filter: JsonObject) => JsonObject): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      call(call) {
        const filter = (call.params[0] ?? {}) as JsonObject
        if (call.method !== 'eth_getLogs' || filter.fromBlock !== 'pending') return call
        const changed = change(filter)
        if (changed === filter) return call
        met += 1
        return met % RARE === 0 ? { ...call, params: [changed] } : call
      },
    }
  }

/** The first alternative alone, in each place that has several. */
const firstTopics: Mutant['apply'] = narrowAtPending((filter) => {
  const topics = Array.isArray(filter.topics) ? filter.topics : []
  if (!topics.some(Array.isArray)) return filter
  return { ...filter, topics: topics.map((each) => (Array.isArray(each) ? each[0] : each)) }
})

const firstAddress: Mutant['apply'] = narrowAtPending((filter) =>
  Array.isArray(filter.address) ? { ...filter, address: filter.address[0] } : filter,
)

const noAddress: Mutant['apply'] = narrowAtPending((filter) =>
  typeof filter.address === 'string' ? without(filter, 'address') : filter,
)

/** Leaves logs out of pending whose transaction `isMeant`. */
const pendingWithout = (
  isMeant: (transaction: JsonObject, log: JsonObject) => boolean,
): Mutant['apply'] =>
  rewriteResult('eth_getLogs', async (result, _, { ask }) => {
    const block = (await ask('eth_getBlockByNumber', ['pending', true])) as {
      transactions: JsonObject[]
    } | null
    const listed = new Map(block?.transactions.map((each) => [each.hash, each]))
    return (result as JsonObject[]).filter((log) => {
      const transaction = listed.get(log.transactionHash)
      return !transaction || !isMeant(transaction, log)
    })
  })

const plus = (value: unknown, by: bigint) => `0x${(BigInt(String(value)) + by).toString(16)}`

/** Changes the pre-confirmed logs of answers to ranges that reach into the pending block. */
const pendingLogs = (change: (found: JsonObject[]) => JsonObject[]): Mutant['apply'] =>
  rewriteResult('eth_getLogs', (result, { params }) => {
    const { fromBlock, toBlock } = filterOf(params)
    const isInto = fromBlock === 'pending' || toBlock === 'pending'
    return isInto ? change(result as JsonObject[]) : result
  })

const eachPending = (change: (log: JsonObject) => JsonObject) =>
  pendingLogs((found) => found.map((log) => (isUnsealed(log) ? change(log) : log)))

/** The first one after the seam, again. */
const firstTwice = pendingLogs((found) => {
  const at = found.findIndex(isUnsealed)
  // Where all are pre-confirmed there is no seam.
  return at > 0 ? [...found.slice(0, at), found[at]!, ...found.slice(at)] : found
})

/** Mutants of which logs are found at pending, and of what they say. */
export const PENDING_LOG_MUTANTS: readonly Mutant[] = [
  logs(
    'RPC-GETLOGS-03',
    'pending-stay',
    'Pending logs stay for a moment when their block is sealed',
    logsStay,
  ),
  logs('RPC-GETLOGS-02', 'pending-lost', 'A pending log is missing each second time', lostLog),
  logs(
    'RPC-FLT-13',
    'pending-first-topic',
    'Reads the first of a list of topics alone at pending, now and then',
    firstTopics,
  ),
  logs(
    'RPC-FLT-08',
    'pending-first-address',
    'Reads the first of a list of addresses alone at pending, now and then',
    firstAddress,
  ),
  logs(
    'RPC-FLT-07',
    'pending-any-address',
    'Ignores the address at pending, now and then',
    noAddress,
  ),
  logs(
    'RPC-GETLOGS-02',
    'pending-of-creations-lost',
    'Leaves out of pending what creating transactions logged',
    pendingWithout(({ to }) => to === null),
  ),
  logs(
    'RPC-GETLOGS-02',
    'pending-of-callees-lost',
    'Leaves out of pending what another contract than the called one logged',
    pendingWithout(({ to }, { address }) => typeof to === 'string' && to !== address),
  ),
  logs(
    'RPC-FLT-05',
    'seam-twice',
    'The first pre-confirmed log after the sealed ones twice',
    firstTwice,
  ),
  logs(
    'RPC-LOG-06',
    'pending-next-height',
    'Pre-confirmed logs name the block after their own',
    eachPending((log) => ({ ...log, blockNumber: plus(log.blockNumber, 1n) })),
  ),
  logs(
    'RPC-LOG-07',
    'pending-later',
    'Pre-confirmed logs name a time two seconds after their block',
    eachPending((log) => ({ ...log, blockTimestamp: plus(log.blockTimestamp, 2n) })),
  ),
  logs(
    'RPC-FLT-05',
    'first-pending-log-each',
    'From a sealed block to pending a pre-confirmed transaction has its first log alone',
    rewriteResult('eth_getLogs', (result, { params }) => {
      const { fromBlock, toBlock } = params[0] as JsonObject
      if (toBlock !== 'pending' || fromBlock === 'pending') return result
      const had = new Set<unknown>()
      return (result as JsonObject[]).filter((log) => {
        const isKept = !isUnsealed(log) || !had.has(log.transactionHash)
        had.add(log.transactionHash)
        return isKept
      })
    }),
  ),
]
