import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { plusOne } from '../plus-one.ts'
import {
  answerInstead,
  rewriteFirst,
  rewriteLog,
  rewriteParams,
  rewriteResult,
  without,
} from '../rewrites.ts'

const INVALID = { error: { code: -32602, message: 'Invalid params' } }

const mutant = mutantsOf('logs', 'rpc')

const member = (
  rule: string,
  field: string,
  says: string,
  value: (log: JsonObject) => unknown,
): Mutant =>
  mutant(
    rule,
    `${field.toLowerCase()}-wrong`,
    says,
    rewriteLog((log) => ({ ...log, [field]: value(log) })),
  )

const filter = (change: (filter: JsonObject) => JsonObject) => rewriteFirst('eth_getLogs', change)
const found = (keep: (log: JsonObject, filter: JsonObject) => boolean) =>
  rewriteResult('eth_getLogs', (result, { params }) =>
    (result as JsonObject[]).filter((log) => keep(log, (params[0] ?? {}) as JsonObject)),
  )
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const minusOne = (value: unknown) =>
  /^0x[1-9a-f]/.test(String(value)) ? `0x${(BigInt(String(value)) - 1n).toString(16)}` : value
const isPending = (filter: JsonObject) =>
  filter.fromBlock === 'pending' || filter.toBlock === 'pending'

/** Mutants of log objects and filters. */
export const LOG_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-GETLOGS-01',
    'newest-first',
    'The newest log first',
    rewriteResult('eth_getLogs', (result) => list(result).toReversed()),
  ),
  mutant(
    'RPC-FLT-13',
    'third-filter',
    'Reads the first of a list of topics alone, each third time',
    (context) => {
      let asked = 0
      const first = (topic: unknown) => (Array.isArray(topic) ? topic.slice(0, 1) : topic)
      const narrow = filter((given) => ({ ...given, topics: list(given.topics).map(first) }))(
        context,
      )
      return {
        call(call) {
          asked += Array.isArray((call.params[0] as JsonObject | undefined)?.topics) ? 1 : 0
          return asked % 3 === 2 ? narrow.call!(call) : call
        },
      }
    },
  ),
  mutant('RPC-LOG-11', 'third-index', 'logIndex off by one, each third log', () => {
    let met = 0
    const third = (log: JsonObject) =>
      ++met % 3 === 0 ? { ...log, logIndex: plusOne(log.logIndex) } : log
    return {
      response: (response, { method }) =>
        method === 'eth_getLogs' && Array.isArray(response.result)
          ? { ...response, result: (response.result as JsonObject[]).map(third) }
          : response,
    }
  }),
  mutant(
    'RPC-LOG-01',
    'timestamp-dropped',
    'Leaves blockTimestamp out',
    rewriteLog((log) => without(log, 'blockTimestamp')),
  ),
  mutant(
    'RPC-LOG-02',
    'address-of-callee',
    "Reports the transaction's to",
    rewriteResult('eth_getLogs', (result, _, { ask }) =>
      Promise.all(
        (result as JsonObject[]).map(async (log) => {
          const sent = (await ask('eth_getTransactionByHash', [log.transactionHash])) as JsonObject
          return { ...log, address: sent?.to ?? log.address }
        }),
      ),
    ),
  ),
  member('RPC-LOG-03', 'topics', 'null for none', (log) =>
    list(log.topics).length ? log.topics : null,
  ),
  mutant(
    'RPC-LOG-04',
    'topics-reversed',
    'Topics in reverse order',
    rewriteLog((log) => ({ ...log, topics: [...list(log.topics)].reverse() })),
  ),
  member('RPC-LOG-05', 'data', 'null for nothing', (log) => (log.data === '0x' ? null : log.data)),
  member('RPC-LOG-06', 'blockNumber', 'Reports another height', (log) => plusOne(log.blockNumber)),
  member('RPC-LOG-07', 'blockTimestamp', 'Another time', (log) => plusOne(log.blockTimestamp)),
  mutant(
    'RPC-LOG-08',
    'first-transaction-for-all',
    'One transaction hash for all logs',
    rewriteResult('eth_getLogs', (result) => {
      const logs = result as JsonObject[]
      return logs.map((log) => ({ ...log, transactionHash: logs[0]?.transactionHash }))
    }),
  ),
  member('RPC-LOG-09', 'transactionIndex', 'Counts from one', (log) =>
    plusOne(log.transactionIndex),
  ),
  member('RPC-LOG-10', 'blockHash', 'Another hash', (log) => log.transactionHash),
  seenIn(
    ['ethereum/go-ethereum#1226'],
    mutant(
      'RPC-LOG-11',
      'index-restarts',
      'logIndex restarts for every transaction',
      rewriteResult('eth_getLogs', (result) => {
        const counts = new Map<unknown, number>()
        return (result as JsonObject[]).map((log) => {
          const index = counts.get(log.transactionHash) ?? 0
          counts.set(log.transactionHash, index + 1)
          return { ...log, logIndex: `0x${index.toString(16)}` }
        })
      }),
    ),
  ),
  member('RPC-LOG-12', 'removed', 'A string', () => 'false'),
  mutant(
    'RPC-FLT-01',
    'filter-defaults',
    'A missing filter is an empty one',
    rewriteParams('eth_getLogs', (params) => (params.length ? params : [{}])),
  ),
  mutant(
    'RPC-FLT-02',
    'from-numbers-only',
    'fromBlock takes numbers only',
    answerInstead('eth_getLogs', ([first]) => {
      const { fromBlock } = (first ?? {}) as JsonObject
      return fromBlock === undefined || String(fromBlock).startsWith('0x') ? undefined : INVALID
    }),
  ),
  mutant(
    'RPC-FLT-03',
    'from-defaults-to-earliest',
    'Starts at the first block by default',
    filter((first) => (first.blockHash ? first : { fromBlock: 'earliest', ...first })),
  ),
  mutant(
    'RPC-FLT-04',
    'from-pending-is-latest',
    'fromBlock pending is latest',
    filter((first) =>
      first.fromBlock === 'pending' ? { ...first, fromBlock: 'latest', toBlock: 'latest' } : first,
    ),
  ),
  mutant(
    'RPC-FLT-05',
    'to-numbers-only',
    'toBlock takes numbers only',
    answerInstead('eth_getLogs', ([first]) => {
      const { toBlock } = (first ?? {}) as JsonObject
      return toBlock === undefined || String(toBlock).startsWith('0x') ? undefined : INVALID
    }),
  ),
  mutant(
    'RPC-FLT-06',
    'written-default-refused',
    'Refuses from pending to latest, answers from pending',
    answerInstead('eth_getLogs', ([first]) => {
      const { fromBlock, toBlock } = (first ?? {}) as JsonObject
      return fromBlock === 'pending' && toBlock === 'latest' ? INVALID : undefined
    }),
  ),
  mutant(
    'RPC-FLT-06',
    'to-defaults-to-from',
    'Ends at the first block of the range by default',
    filter((first) =>
      first.fromBlock && !first.toBlock ? { ...first, toBlock: first.fromBlock } : first,
    ),
  ),
  mutant(
    'RPC-FLT-07',
    'address-ignored',
    'Ignores a single address',
    filter((first) => (typeof first.address === 'string' ? without(first, 'address') : first)),
  ),
  mutant(
    'RPC-FLT-08',
    'first-address-only',
    'Uses the first address of a list only',
    filter((first) =>
      Array.isArray(first.address) ? { ...first, address: first.address[0] } : first,
    ),
  ),
  mutant(
    'RPC-FLT-09',
    'address-demanded',
    'Finds nothing without an address',
    found((_, first) => first.address !== undefined),
  ),
  mutant(
    'RPC-FLT-10',
    'topic-anywhere',
    'Finds a topic in any place',
    filter((first) =>
      list(first.topics).length === 1
        ? { ...without(first, 'topics'), topics: [null, first.topics && list(first.topics)[0]] }
        : first,
    ),
  ),
  mutant(
    'RPC-FLT-11',
    'null-matches-nothing',
    'null in a place matches nothing',
    found((_, first) => !list(first.topics).includes(null)),
  ),
  mutant(
    'RPC-FLT-12',
    'single-topic-ignored',
    'Ignores a single topic',
    filter((first) => ({
      ...first,
      ...(first.topics
        ? { topics: list(first.topics).map((topic) => (typeof topic === 'string' ? null : topic)) }
        : {}),
    })),
  ),
  mutant(
    'RPC-FLT-13',
    'first-alternative-only',
    'Uses the first alternative of a place only',
    filter((first) => ({
      ...first,
      ...(first.topics
        ? {
            topics: list(first.topics).map((topic) =>
              Array.isArray(topic) && topic.length > 1 ? topic.slice(-1) : topic,
            ),
          }
        : {}),
    })),
  ),
  mutant(
    'RPC-FLT-13',
    'first-of-alternatives',
    'Takes only the first topic of a list',
    filter((first) => ({
      ...first,
      ...(first.topics
        ? {
            topics: list(first.topics).map((topic) =>
              Array.isArray(topic) ? topic.slice(0, 1) : topic,
            ),
          }
        : {}),
    })),
  ),
  mutant(
    'RPC-FLT-14',
    'no-topics-means-none',
    'Without topics finds logs without topics only',
    found((log, first) => first.topics !== undefined || list(log.topics).length === 0),
  ),
  mutant(
    'RPC-FLT-15',
    'topics-beat-address',
    'Drops the address when topics are given',
    filter((first) =>
      first.topics && typeof first.address === 'string' ? without(first, 'address') : first,
    ),
  ),
  mutant(
    'RPC-FLT-16',
    'block-hash-ignored',
    'Ignores blockHash',
    filter((first) => without(first, 'blockHash')),
  ),
  mutant(
    'RPC-FLT-17',
    'range-with-hash-refused',
    'Refuses a range beside blockHash',
    answerInstead('eth_getLogs', ([first]) => {
      const { blockHash, fromBlock } = (first ?? {}) as JsonObject
      return blockHash && fromBlock ? INVALID : undefined
    }),
  ),
  mutant(
    'RPC-FLT-18',
    'empty-filter-is-everything',
    'An empty filter searches the whole chain',
    filter((first) => (Object.keys(first).length ? first : { fromBlock: 'earliest' })),
  ),
  mutant(
    'RPC-FLT-19',
    'as-many-topics',
    'Demands as many topics as places',
    found((log, first) => !first.topics || list(first.topics).length === list(log.topics).length),
  ),
  mutant(
    'RPC-GETLOGS-01',
    'null-for-none',
    'null for no match',
    rewriteResult('eth_getLogs', (result) => (list(result).length ? result : null)),
  ),
  mutant(
    'RPC-GETLOGS-02',
    'nothing-pending',
    'Finds nothing at pending',
    rewriteResult('eth_getLogs', (result, { params }) =>
      isPending((params[0] ?? {}) as JsonObject) ? [] : result,
    ),
  ),
  mutant(
    'RPC-GETLOGS-03',
    'sealed-at-pending',
    'Mixes sealed logs into pending',
    filter((first) =>
      first.fromBlock === 'pending' ? { ...first, fromBlock: 'earliest' } : first,
    ),
  ),
  mutant(
    'RPC-GETLOGS-04',
    'end-left-out',
    'Leaves the last block of a range out',
    filter((first) => ({
      ...first,
      ...(first.toBlock ? { toBlock: minusOne(first.toBlock) } : {}),
    })),
  ),
  mutant(
    'LIM-01',
    'thousand-blocks',
    'Refuses ranges over 1,000 blocks',
    answerInstead('eth_getLogs', ([first]) => {
      const { fromBlock, toBlock } = (first ?? {}) as JsonObject
      const span = Number(toBlock) - Number(fromBlock)
      return span > 1000 ? { error: { code: -32614, message: 'limited to 1,000' } } : undefined
    }),
  ),
]
