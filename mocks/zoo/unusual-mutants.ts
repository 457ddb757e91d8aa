import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import {
  answerInstead,
  rewriteBlock,
  rewriteFirst,
  rewriteResponse,
  rewriteResult,
} from './rewrites.ts'

/** Mutants that are wrong for what is seldom sent or asked: what reverts, what is large, and bounds beside others. */

const [block, pending] = [mutantsOf('block', 'rpc'), mutantsOf('pending', 'rpc')]
const [logs, envelope] = [mutantsOf('logs', 'rpc'), mutantsOf('envelope', 'rpc')]

const isHeight = (selector: unknown): selector is string => /^0x/.test(String(selector))

const lowerHalf = (value: unknown) => `0x${BigInt.asUintN(64, BigInt(String(value))).toString(16)}`

/** Values of transactions in 64 bits. */
const smallValues = (only: 'sealed' | 'pending') =>
  rewriteBlock(
    (found) => ({
      ...found,
      transactions: (found.transactions as (JsonObject | string)[]).map((each) =>
        typeof each === 'string' ? each : { ...each, value: lowerHalf(each.value) },
      ),
    }),
    only,
  )

export const UNUSUAL_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-BLK-23',
    'value-of-64-bits',
    'Tells the value of a transaction in 64 bits',
    smallValues('sealed'),
  ),
  pending(
    'RPC-PEND-08',
    'value-of-64-bits',
    'Tells the value of a pre-confirmed transaction in 64 bits',
    smallValues('pending'),
  ),
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
  envelope(
    'RPC-ENV-09',
    'failed-call-without-id',
    'The error of a call that fails while it runs has no id',
    rewriteResponse((response, { method }) => {
      const isRun = method === 'eth_call' && 'error' in response
      if (!isRun || (response.error as JsonObject).code === -32602) return response
      return { ...response, id: null }
    }),
  ),
]
