import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { answerInstead, without } from '../rewrites.ts'

/** Longer than any block: what is held back so long arrives after sealing. */
const PAST_SEALING = 2_500

const mutant = mutantsOf('stream', 'ws')

const isNotification = (message: JsonObject) => message.method === 'eth_subscription'

/** Mutants of the pendingLogs subscription. */
export const STREAM_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-WS-01',
    'no-pending-logs',
    'Does not know pendingLogs',
    answerInstead('eth_subscribe', ([kind]) =>
      kind === 'pendingLogs' ? { error: { code: -32602, message: 'Invalid params' } } : undefined,
    ),
  ),
  mutant('RPC-WS-02', 'at-sealing', 'Sends logs only when their block is sealed', () => ({
    message: (message) => ({ message, delay: isNotification(message) ? PAST_SEALING : 0 }),
  })),
  mutant('RPC-ENV-08', 'no-version-in-answers', 'Leaves jsonrpc out of its answers', () => ({
    message: (message) => ({
      message: isNotification(message) ? message : without(message, 'jsonrpc'),
      delay: 0,
    }),
  })),
  mutant('RPC-WS-02', 'no-version-in-messages', 'Leaves jsonrpc out of what it pushes', () => ({
    message: (message) => ({
      message: isNotification(message) ? without(message, 'jsonrpc') : message,
      delay: 0,
    }),
  })),
  mutant('RPC-WS-03', 'later-batches-missing', 'Leaves out the logs of later batches', () => {
    let count = 0
    return {
      message(message) {
        if (isNotification(message)) count += 1
        return isNotification(message) && count > 1 ? null : { message, delay: 0 }
      },
    }
  }),
  mutant('RPC-LOG-13', 'removed-hardwired', 'Never sets removed', () => ({
    message(message) {
      const params = message.params as { result?: JsonObject } | undefined
      if (!isNotification(message) || !params?.result) return { message, delay: 0 }
      const result = { ...params.result, removed: false }
      return { message: { ...message, params: { ...params, result } }, delay: 0 }
    },
  })),
]
