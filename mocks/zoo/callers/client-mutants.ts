import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const client = mutantsOf('client', 'client')

const CLIENT = 'own-client.ts'

/** Clients with one mistake, made in the source of our own. */
export const CLIENT_MUTANTS: readonly Mutant[] = [
  client(
    'RPC-WS-02',
    'waits-for-seal',
    'Tells a log only when its block is sealed',
    instead(CLIENT, "['pendingLogs', { address }]", "['logs', { address }]"),
  ),
  client(
    'RPC-WS-03',
    'tells-twice',
    'Tells a log again when its block is sealed',
    instead(CLIENT, 'if (printed.has(key) !== removed) return', ''),
  ),
  client(
    'RPC-WS-03',
    'knows-the-last-logs',
    'Remembers the last 32 logs that it told, and no more',
    instead(
      CLIENT,
      '  else printed.set(key, log)\n',
      '  else printed.set(key, log)\n  if (printed.size > 32) printed.delete([...printed.keys()][0]!)\n',
    ),
  ),
  client(
    'RPC-WS-03',
    'forgets-the-gap',
    'Does not read what went by while its line was down',
    instead(CLIENT, '    read()', '    if (printed.size === 0) read()'),
  ),
  client(
    'RPC-WS-03',
    'subscribes-late',
    'Subscribes once it has read what is there',
    instead(
      CLIENT,
      `  socket.addEventListener('open', () => {
    ask('eth_subscribe', ['logs', { address }])
    ask('eth_subscribe', ['pendingLogs', { address }])
    read()
`,
      `  socket.addEventListener('open', async () => {
    await read()
    ask('eth_subscribe', ['logs', { address }])
    ask('eth_subscribe', ['pendingLogs', { address }])
`,
    ),
  ),
  client(
    'RPC-WS-03',
    'from-the-newest-block',
    'Reads what went by while its line was down from the newest block on, not from the last one it knows',
    instead(CLIENT, 'let from = 0;', 'let from = printed.size > 0 ? newest : 0;'),
  ),
  client(
    'RPC-WS-03',
    'first-log-only',
    'Tells one log of each transaction',
    instead(CLIENT, 'const key = ', 'const key = transactionHash || '),
  ),
  client(
    'RPC-WS-03',
    'any-contract',
    'Tells the logs of every contract',
    instead(CLIENT, "['pendingLogs', { address }]", "['pendingLogs']"),
  ),
  client(
    'RPC-LOG-13',
    'keeps-removed',
    'Says nothing of a log that was taken out',
    instead(CLIENT, 'if (removed) printed.delete(key)', 'if (removed) return'),
  ),
  client(
    'RPC-LOG-13',
    'never-again',
    'Says nothing of a log that comes again after it was taken out',
    instead(
      CLIENT,
      'if (removed) printed.delete(key)\n  else printed.set(key, log)',
      'printed.set(key, log)',
    ),
  ),
  client(
    'RPC-LOG-13',
    'error-is-no-logs',
    'Takes an error of eth_getLogs for an answer without logs',
    instead(CLIENT, 'socket.close()\n    } else', 'waiting[id]?.([])\n    } else'),
  ),
  client(
    'RPC-GETLOGS-02',
    'waits-after-an-error',
    'Asks for what went by once, and no more after an error',
    instead(CLIENT, 'socket.close()\n    } else', '} else'),
  ),
  client(
    'RPC-GETLOGS-02',
    'ends-at-an-error',
    'Ends at the first error that a node answers',
    instead(CLIENT, 'socket.close()\n    } else', 'process.exit(1)\n    } else'),
  ),
  client(
    'RPC-GETLOGS-04',
    'between-parts',
    'Steps over a block from one part of the chain to the next',
    instead(CLIENT, 'from += PAGE)', 'from += PAGE + 1)'),
  ),
]
