import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { answered, eachSeventh, fails } from '../parts/each-seventh.ts'
import { filterOf } from '../parts/filter-of.ts'
import { hasCapitalDigits } from '../parts/has-capital-digits.ts'
import { hasCapitals } from '../parts/has-capitals.ts'
import { answerInstead, rewriteFirst, rewriteParams, rewriteResult } from '../rewrites.ts'

const logs = mutantsOf('logs', 'rpc')
const selectors = mutantsOf('selectors', 'rpc')

const isHeight = (selector: unknown): selector is string => /^0x/.test(String(selector))

/** A filter with no more places of topics than that. */
const placesOf = (filter: JsonObject, most: number): JsonObject =>
  Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, most) } : filter

/** Reads so many alternatives of each place. */
const alternatives = (most: number) =>
  rewriteFirst('eth_getLogs', (filter) =>
    Array.isArray(filter.topics)
      ? {
          ...filter,
          topics: filter.topics.map((each) => (Array.isArray(each) ? each.slice(0, most) : each)),
        }
      : filter,
  )

/** Mutants that misread some filters: long ones, in capitals, at a tag or beside a hash. */
export const LOG_FILTER_MUTANTS: readonly Mutant[] = [
  logs(
    'RPC-FLT-10',
    'topic-in-capitals',
    'Finds no topic that is asked for in capitals',
    answerInstead('eth_getLogs', ([filter]) =>
      hasCapitals((filter as JsonObject | undefined)?.topics) ? { result: [] } : undefined,
    ),
  ),
  seenIn(
    ['0xPolygon/zkevm-node#2359'],
    logs(
      'RPC-FLT-16',
      'topics-dropped-by-hash',
      'Drops the topics where a block hash is given',
      rewriteParams('eth_getLogs', (params) => {
        const { blockHash, topics: _, ...rest } = (params[0] ?? {}) as JsonObject
        return blockHash === undefined ? params : [{ blockHash, ...rest }]
      }),
    ),
  ),
  selectors(
    'RPC-FLT-05',
    'logs-to-safe-to-latest',
    'Searches to the newest block for the safe one',
    rewriteParams('eth_getLogs', (params) => {
      const filter = (params[0] ?? {}) as JsonObject
      return filter.toBlock === 'safe' ? [{ ...filter, toBlock: 'latest' }] : params
    }),
  ),
  logs(
    'RPC-FLT-17',
    'backwards-with-hash-refused',
    'Refuses a range that runs backwards beside blockHash',
    answerInstead('eth_getLogs', ([filter]) => {
      const { blockHash, fromBlock, toBlock } = (filter ?? {}) as JsonObject
      const isBackwards =
        isHeight(fromBlock) && isHeight(toBlock) && BigInt(fromBlock) > BigInt(toBlock)
      if (!blockHash || !isBackwards) return undefined
      return { error: { code: -32602, message: 'invalid block range' } }
    }),
  ),
  logs(
    'RPC-FLT-03',
    'end-alone-is-both',
    'Starts where a height alone as toBlock ends',
    rewriteFirst('eth_getLogs', (filter) => {
      const { blockHash, fromBlock, toBlock } = filter
      const isAlone = blockHash === undefined && fromBlock === undefined && isHeight(toBlock)
      return isAlone ? { ...filter, fromBlock: toBlock } : filter
    }),
  ),
  logs(
    'RPC-FLT-16',
    'hash-in-capitals',
    'Finds nothing in a block whose hash is in capitals',
    answerInstead('eth_getLogs', (params) =>
      hasCapitalDigits(filterOf(params).blockHash) ? { result: [] } : undefined,
    ),
  ),
  logs(
    'RPC-FLT-13',
    'third-alternative',
    'Reads two alternatives of a place and no third',
    alternatives(2),
  ),
  logs(
    'RPC-FLT-08',
    'hundred-addresses',
    'Reads a hundred addresses of a list and none after',
    rewriteFirst('eth_getLogs', (filter) =>
      Array.isArray(filter.address) ? { ...filter, address: filter.address.slice(0, 100) } : filter,
    ),
  ),
  logs(
    'RPC-FLT-13',
    'hundred-alternatives',
    'Reads a hundred alternatives of a place and none after',
    alternatives(100),
  ),
  logs(
    'RPC-FLT-10',
    'fourth-place',
    'Reads three places of topics and no fourth',
    rewriteFirst('eth_getLogs', (filter) =>
      Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, 3) } : filter,
    ),
  ),
  ...(
    [
      [
        'RPC-FLT-02',
        'fromBlock',
        'safe',
        'from-safe-to-latest',
        'Searches from the newest block for the safe one',
      ],
      [
        'RPC-FLT-02',
        'fromBlock',
        'finalized',
        'from-finalized-to-latest',
        'Searches from the newest block for the finalized one',
      ],
      [
        'RPC-FLT-05',
        'toBlock',
        'finalized',
        'to-finalized-to-latest',
        'Searches to the newest block for the finalized one',
      ],
      [
        'RPC-FLT-05',
        'toBlock',
        'earliest',
        'to-earliest-to-latest',
        'Searches to the newest block for the first one',
      ],
    ] as const
  ).map(([rule, bound, tag, name, says]) =>
    logs(
      rule,
      name,
      says,
      rewriteFirst('eth_getLogs', (filter) =>
        filter[bound] === tag ? { ...filter, [bound]: 'latest' } : filter,
      ),
    ),
  ),
  logs(
    'RPC-FLT-10',
    'third-place-by-hash',
    'Reads two places of topics where a block hash is given, and no third',
    rewriteFirst('eth_getLogs', (filter) => (filter.blockHash ? placesOf(filter, 2) : filter)),
  ),
  logs(
    'RPC-FLT-10',
    'fourth-place-at-pending',
    'Reads three places of topics at pending, and no fourth',
    rewriteFirst('eth_getLogs', (filter) =>
      filter.fromBlock === 'pending' ? placesOf(filter, 3) : filter,
    ),
  ),
  logs(
    'RPC-FLT-08',
    'twice-listed-twice-found',
    'An address that is listed twice brings its logs twice',
    rewriteResult('eth_getLogs', (result, { params }) => {
      const { address } = Object(params[0])
      if (!Array.isArray(address)) return result
      const listed = address.map((each) => String(each).toLowerCase())
      return asList(result).flatMap((log) =>
        listed.filter((each) => each === String(log.address).toLowerCase()).map(() => log),
      )
    }),
  ),
  logs(
    'RPC-FLT-01',
    'seventh-refusal',
    'Answers each seventh question that it must refuse',
    eachSeventh(fails('eth_getLogs'), answered([])),
  ),
]
