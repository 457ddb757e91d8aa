import { changeAt } from '../change-at.ts'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import {
  answerInstead,
  rewriteBlock,
  rewriteParams,
  rewriteResponse,
  rewriteResult,
  without,
} from '../rewrites.ts'
import { big } from './big.ts'
import { isBaseTime } from './is-base-time.ts'
import { isToday } from './rewrite-today.ts'

const mutant = mutantsOf('today', 'rpc')

/** Mutants of the RPC of today's chain. */
export const TODAY_RPC_MUTANTS: readonly Mutant[] = [
  mutant(
    'TODAY-RPC-01',
    'by-hash-without',
    'eth_getBlockByHash leaves timestampMs out',
    rewriteResult('eth_getBlockByHash', (result) => without(result as JsonObject, 'timestampMs')),
  ),
  mutant(
    'TODAY-RPC-02',
    'header-without',
    'Headers are told without their milliseconds',
    rewriteResult('*', (result, call) => {
      if (!call.method.startsWith('eth_getHeaderBy') || !result) return result
      return without(result as JsonObject, 'timestampMs')
    }),
  ),
  mutant(
    'TODAY-RPC-03',
    'transaction-without',
    'eth_getTransactionByHash leaves blockTimestampMs out',
    rewriteResult('eth_getTransactionByHash', (result) =>
      result ? without(result as JsonObject, 'blockTimestampMs') : result,
    ),
  ),
  mutant(
    'TODAY-RPC-04',
    'log-in-seconds',
    'blockTimestampMs of a log is its whole second',
    rewriteResult('eth_getLogs', (result) =>
      changeAt(result, ['*', 'blockTimestampMs'], (time) => hex(big(time) / 1000n)),
    ),
  ),
  mutant(
    'TODAY-RPC-05',
    'receipt-with',
    'A receipt itself has blockTimestampMs',
    rewriteResult('eth_getTransactionReceipt', (result) =>
      result ? { ...(result as JsonObject), blockTimestampMs: '0x1' } : result,
    ),
  ),
  mutant(
    'TODAY-RPC-06',
    'null-before',
    'A block of before has timestampMs null',
    rewriteBlock((block) => (isToday(block) ? block : { ...block, timestampMs: null })),
  ),
  mutant(
    'TODAY-RPC-08',
    'pending-is-latest',
    'A call at pending is in the block of latest',
    rewriteParams('eth_call', ([call, selector, ...rest]) =>
      selector === 'pending' && !(call as JsonObject).to
        ? [call, 'latest', ...rest]
        : [call, selector, ...rest],
    ),
  ),
  mutant(
    'TODAY-RPC-09',
    'pending-time-is-old',
    'BaseTime at pending tells the time of the first block',
    rewriteParams('eth_call', ([call, selector, ...rest]) =>
      selector === 'pending' && isBaseTime((call as JsonObject).to)
        ? [call, '0x1', ...rest]
        : [call, selector, ...rest],
    ),
  ),
  mutant(
    'TODAY-RPC-10',
    'pending-has-more',
    'A balance at pending is one wei more than at latest',
    rewriteResult('eth_getBalance', (result, call) =>
      call.params[1] === 'pending' ? hex(big(result) + 1n) : result,
    ),
  ),
  mutant(
    'TODAY-RPC-11',
    'sync-send',
    'eth_sendRawTransactionSync is served',
    answerInstead('eth_sendRawTransactionSync', () => ({
      error: { code: -32602, message: 'Invalid params' },
    })),
  ),
  mutant(
    'TODAY-RPC-12',
    'simulated-seconds',
    'Simulated blocks come a second apart',
    rewriteResult('eth_simulateV1', (result) =>
      (result as JsonObject[]).map((block, at) => ({
        ...block,
        timestamp: hex(big((result as JsonObject[])[0]!.timestamp) + BigInt(at)),
      })),
    ),
  ),
  mutant(
    'TODAY-RPC-13',
    'equal-refused',
    'A simulated block with the second of the one before is refused',
    rewriteResponse((response, call) => {
      const [{ blockStateCalls = [] } = {}] = call.params as { blockStateCalls?: JsonObject[] }[]
      const times = blockStateCalls.map(
        ({ blockOverrides }) => (blockOverrides as JsonObject | undefined)?.time,
      )
      const isEqual = times.length > 1 && times[0] !== undefined && times[0] === times[1]
      if (call.method !== 'eth_simulateV1' || !isEqual) return response
      return {
        ...without(response, 'result'),
        error: { code: -38021, message: 'block timestamps' },
      }
    }),
  ),
  mutant(
    'TODAY-RPC-14',
    'blobs-of-ethereum',
    'eth_config has the blobs of Ethereum',
    rewriteResult('eth_config', (result) =>
      changeAt(result, ['current', 'blobSchedule', 'max'], () => 9),
    ),
  ),
]
