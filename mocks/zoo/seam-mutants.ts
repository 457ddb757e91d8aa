import type { JsonObject } from './mutant.ts'
import { type Mutant, mutantsOf } from './mutant.ts'
import { rewriteFirst, rewriteParams, rewriteResult } from './rewrites.ts'

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
