import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { isHeight } from '../parts/block-selectors.ts'
import { filterOf } from '../parts/filter-of.ts'
import { headOf } from '../parts/head-of.ts'
import { lagging } from '../parts/lagging.ts'
import { rewriteResult, without } from '../rewrites.ts'
import { isUnsealed } from './is-unsealed.ts'

const logs = mutantsOf('logs', 'rpc')

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

const pastIsPending = rewriteResult('eth_getLogs', async (result, { params }, context) => {
  const filter = filterOf(params)
  return isHeight(filter.toBlock) && BigInt(String(filter.toBlock)) > (await headOf(context))
    ? context.ask('eth_getLogs', [{ ...filter, toBlock: 'pending' }])
    : result
})

/** What ends where nothing is said, or with latest, ends with the block before the newest. */
const endsBefore = (isMeant: (toBlock: unknown) => boolean) =>
  rewriteResult('eth_getLogs', async (result, { params }, context) => {
    const { fromBlock, toBlock, blockHash } = filterOf(params)
    if (blockHash || !isHeight(fromBlock) || !isMeant(toBlock)) return result
    const head = await headOf(context)
    return (result as JsonObject[]).filter(({ blockNumber }) => BigInt(String(blockNumber)) < head)
  })

/** From latest to pending the newest sealed block is not searched. */
const latestLeftOut = rewriteResult('eth_getLogs', (result, { params }) => {
  const { fromBlock, toBlock } = filterOf(params)
  const isMeant = fromBlock === 'latest' && toBlock === 'pending'
  return isMeant ? (result as JsonObject[]).filter(isUnsealed) : result
})

/** All members but the place in the block. */
const contentOf = (log: JsonObject) => JSON.stringify(without(log, 'logIndex'))

/** Mutants that lose logs of a range, or find some that are not in it. */
export const LOG_RANGE_MUTANTS: readonly Mutant[] = [
  logs(
    'RPC-GETLOGS-04',
    'middle-skipped',
    'Does not search the middle of wide ranges',
    middleSkipped,
  ),
  seenIn(
    ['okx/xlayer-reth#267'],
    logs(
      'RPC-GETLOGS-04',
      'index-lags',
      'Logs of the newest block are not found at first',
      lagging('eth_getLogs', []),
    ),
  ),
  logs(
    'RPC-FLT-02',
    'latest-left-out',
    'From latest to pending the newest sealed block is not searched',
    latestLeftOut,
  ),
  logs(
    'RPC-FLT-06',
    'open-end-before-the-newest',
    'A range without an end leaves out the newest block',
    endsBefore((toBlock) => toBlock === undefined),
  ),
  logs(
    'RPC-FLT-05',
    'latest-ends-before-the-newest',
    'A range from a height to latest leaves out the newest block',
    endsBefore((toBlock) => toBlock === 'latest'),
  ),
  seenIn(
    ['ethereum/go-ethereum#25300'],
    logs(
      'RPC-PEND-11',
      'past-is-pending',
      'A range of numbers past the newest block has pre-confirmed logs',
      pastIsPending,
    ),
  ),
  logs(
    'RPC-GETLOGS-01',
    'two-hundred',
    'Finds two hundred logs, and no more',
    rewriteResult('eth_getLogs', (result) => (result as JsonObject[]).slice(0, 200)),
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
]
