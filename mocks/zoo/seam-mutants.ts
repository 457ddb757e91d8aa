import type { JsonObject } from './mutant.ts'
import { type Mutant, mutantsOf } from './mutant.ts'
import { rewriteFirst, rewriteParams, rewriteResult, without } from './rewrites.ts'

const logs = mutantsOf('logs', 'rpc')

const isUnsealed = ({ blockHash }: JsonObject) => /^0x0*$/.test(String(blockHash ?? '0x'))
const plus = (value: unknown, by: bigint) => `0x${(BigInt(String(value)) + by).toString(16)}`
const filterOf = (params: readonly unknown[]) => (params[0] ?? {}) as JsonObject

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

const OLD = 30n

/** Of blocks that are far behind the head the list of hashes lacks its last one. */
const oldListCut: Mutant['apply'] = rewriteResult(
  'eth_getBlockByNumber',
  async (result, { params }, { ask }) => {
    const block = result as JsonObject | null
    if (!block || params[1] === true || params[0] === 'pending') return result
    const head = BigInt(String(await ask('eth_blockNumber')))
    if (head - BigInt(String(block.number)) < OLD) return result
    return { ...block, transactions: (block.transactions as unknown[]).slice(0, -1) }
  },
)

const safeIsLatest = (method: string, at: number) =>
  rewriteParams(method, (params) =>
    params.map((each, index) => (index === at && each === 'safe' ? 'latest' : each)),
  )

const MANY = 10

/** Of more than ten calls in a block the last result is left out. */
const lastCallCut: Mutant['apply'] = rewriteResult('eth_simulateV1', (result) =>
  (result as JsonObject[]).map((block) => {
    const calls = block.calls as unknown[]
    return calls.length > MANY ? { ...block, calls: calls.slice(0, -1) } : block
  }),
)

/** Elements after the first lose what they override of their block. */
const laterOverridesLost: Mutant['apply'] = rewriteFirst('eth_simulateV1', (payload) => {
  const entries = payload.blockStateCalls
  if (!Array.isArray(entries)) return payload
  const [first, ...later] = entries as JsonObject[]
  const blockStateCalls = [first, ...later.map((each) => without(each, 'blockOverrides'))]
  return { ...payload, blockStateCalls: entries.length > 0 ? blockStateCalls : [] }
})

/** Blocks; a devnet that has just begun has few. */
const LONG = 18n

/** The middle of a range of some blocks is not searched. */
const middleSkipped: Mutant['apply'] = rewriteResult('eth_getLogs', (result, { params }) => {
  const bounds = [filterOf(params).fromBlock, filterOf(params).toBlock].map(String)
  if (!bounds.every((bound) => /^0x[0-9a-f]+$/i.test(bound))) return result
  const [from, to] = bounds.map(BigInt) as [bigint, bigint]
  if (to - from < LONG) return result
  const [least, most] = [from + (to - from) / 3n, to - (to - from) / 3n]
  return (result as JsonObject[]).filter(({ blockNumber }) => {
    const height = BigInt(String(blockNumber))
    return height < least || height > most
  })
})

/** What the caller did wrong is a failure of the server. */
const serverFailure: Mutant['apply'] = () => ({
  async http(request, forward) {
    const answer = await forward(request)
    return answer.body.includes('-32602') ? { ...answer, status: 500 } : answer
  },
})

/** The first two results of a batch are each other's. */
const batchMixed: Mutant['apply'] = () => ({
  async http(request, forward) {
    const answer = await forward(request)
    if (!answer.body.startsWith('[')) return answer
    const [first, second, ...rest] = JSON.parse(answer.body) as JsonObject[]
    if (!first || !second) return answer
    const mixed = [{ ...first, id: second.id }, { ...second, id: first.id }, ...rest]
    return { ...answer, body: JSON.stringify(mixed) }
  },
})

/** Mutants at the seams: of sealed and pre-confirmed, of new and old, of safe and sealed. */
export const SEAM_MUTANTS: readonly Mutant[] = [
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
    'RPC-FLT-13',
    'third-alternative',
    'Reads two alternatives of a place and no third',
    rewriteFirst('eth_getLogs', (filter) =>
      Array.isArray(filter.topics)
        ? {
            ...filter,
            topics: filter.topics.map((each) => (Array.isArray(each) ? each.slice(0, 2) : each)),
          }
        : filter,
    ),
  ),
  logs(
    'RPC-FLT-10',
    'fourth-place',
    'Reads three places of topics and no fourth',
    rewriteFirst('eth_getLogs', (filter) =>
      Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, 3) } : filter,
    ),
  ),
  mutantsOf('block', 'rpc')(
    'RPC-BLK-22',
    'old-list-cut',
    'Lists of hashes lack their last one in old blocks',
    oldListCut,
  ),
  logs(
    'RPC-GETLOGS-04',
    'middle-skipped',
    'Does not search the middle of wide ranges',
    middleSkipped,
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-32',
    'last-call-cut',
    'Leaves out the last of more than ten calls',
    lastCallCut,
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-21',
    'later-overrides-lost',
    'Reads blockOverrides of the first element alone',
    laterOverridesLost,
  ),
  mutantsOf('envelope', 'rpc')(
    'RPC-ENV-11',
    'wrong-params-500',
    'Answers wrong parameters with HTTP 500',
    serverFailure,
  ),
  mutantsOf('envelope', 'rpc')(
    'RPC-ENV-09',
    'batch-mixed',
    'Exchanges the ids of the first two answers of a batch',
    batchMixed,
  ),
  mutantsOf('storage', 'rpc')(
    'RPC-STOR-07',
    'safe-is-latest',
    'Reads the newest value for the safe one',
    safeIsLatest('eth_getStorageAt', 2),
  ),
  mutantsOf('call', 'rpc')(
    'RPC-CALL-18',
    'safe-is-latest',
    'Calls the newest block for the safe one',
    safeIsLatest('eth_call', 1),
  ),
]
