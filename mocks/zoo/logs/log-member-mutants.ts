import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { cutBytes } from '../parts/cut-bytes.ts'
import { eachSeventh, inResult, succeeds } from '../parts/each-seventh.ts'
import { lastDigit } from '../parts/last-digit.ts'
import { rewriteLog, rewriteResult, without } from '../rewrites.ts'

const logs = mutantsOf('logs', 'rpc')

/** Mutants of the members of some logs: long ones, pre-confirmed ones, those found by a hash. */
export const LOG_MEMBER_MUTANTS: readonly Mutant[] = [
  logs(
    'RPC-LOG-05',
    'data-cut-64',
    'Gives 64 bytes of the data of a log, and no more',
    rewriteResult('eth_getLogs', (result) =>
      (result as JsonObject[]).map((log) => ({ ...log, data: cutBytes(log.data, 64) })),
    ),
  ),
  logs(
    'RPC-LOG-05',
    'data-cut-2000',
    'Gives 2,000 bytes of the data of a log, and no more',
    rewriteLog((log) => ({ ...log, data: cutBytes(log.data, 2_000) })),
  ),
  logs(
    'RPC-LOG-11',
    'index-of-a-byte',
    'Counts logs of a block from zero again after 256',
    rewriteLog((log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) % 256).toString(16)}` })),
  ),
  logs(
    'RPC-LOG-07',
    'no-time-by-hash',
    'Leaves blockTimestamp out of logs by block hash',
    rewriteResult('eth_getLogs', (result, { params }) =>
      Object(params[0]).blockHash
        ? asList(result).map((log) => without(log, 'blockTimestamp'))
        : result,
    ),
  ),
  logs(
    'RPC-LOG-05',
    'seventh-data',
    'The data of the logs of each seventh answer are off',
    eachSeventh(
      succeeds('eth_getLogs'),
      inResult(['*', 'data'], (data) => (data === '0x' ? '0x' : lastDigit(data))),
    ),
  ),
]
