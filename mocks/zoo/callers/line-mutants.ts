import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const client = mutantsOf('client', 'client')

const CLIENT = 'own-client.ts'

/** Clients that do not tell what came before their line, or while it was down. */
export const LINE_MUTANTS: readonly Mutant[] = [
  client(
    'RPC-WS-03',
    'reads-any-contract',
    'Reads the logs of every contract when its line is there again',
    instead(CLIENT, "'eth_getLogs', [{ address,", "'eth_getLogs', [{"),
  ),
  client(
    'RPC-WS-03',
    'begins-with-now',
    'Tells nothing of what was there before it was started',
    instead(
      CLIENT,
      'fromBlock: toHex(from)',
      "fromBlock: printed.size > 0 ? toHex(from) : 'pending'",
    ),
  ),
  client(
    'RPC-WS-03',
    'sealed-only-when-read',
    'Reads what went by while its line was down up to the newest block, not what is pre-confirmed',
    instead(CLIENT, "? 'pending'", "? 'latest'"),
  ),
  client(
    'LIM-01',
    'reads-all-at-once',
    'Asks for the logs of the whole chain at once',
    instead(CLIENT, 'const PAGE = 1_000', 'const PAGE = Number.MAX_SAFE_INTEGER'),
  ),
  client(
    'LIM-01',
    'reads-the-last-page',
    'Reads as many blocks as may be asked for at once, and no earlier ones',
    instead(CLIENT, 'let from = 0;', 'let from = Math.max(0, newest - PAGE);'),
  ),
  client(
    'RPC-LOG-13',
    'removed-of-sealed-alone',
    'Says nothing of a pre-confirmed log that was dropped',
    instead(
      CLIENT,
      'if (params) hear(params.result)',
      'if (params && !(params.result.removed && /^0x0+$/.test(String(Object(params.result).blockHash)))) hear(params.result)',
    ),
  ),
  client(
    'RPC-LOG-13',
    'removed-of-the-newest-block',
    'Says of the newest block alone which of its logs were taken out while its line was down',
    instead(
      CLIENT,
      'if (!there.has(keyOf(log))) tell(',
      'if (!there.has(keyOf(log)) && Object(log).blockNumber === Object(before.at(-1)).blockNumber) tell(',
    ),
  ),
  client(
    'RPC-LOG-13',
    'removed-by-line-alone',
    'Says nothing of a log that was taken out while its line was down',
    instead(CLIENT, 'compare(there, before)', 'compare(there, [])'),
  ),
  client(
    'RPC-LOG-13',
    'deaf-while-it-reads',
    'Tells a log that was taken out after it was read and before the last part of the chain was',
    instead(CLIENT, 'if (log.removed) there.delete(keyOf(log))', 'if (log.removed) {}'),
  ),
  client(
    'RPC-LOG-13',
    'known-by-place',
    'Knows a log by its block and index, whichever transaction it is of',
    instead(
      CLIENT,
      'keyOf = ({ transactionHash, logIndex }: Log)',
      'keyOf = ({ blockNumber: transactionHash, logIndex }: any)',
    ),
  ),
]
