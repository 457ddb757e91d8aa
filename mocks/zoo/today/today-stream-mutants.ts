import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { answerInstead, rewriteParams, without } from '../rewrites.ts'
import { big } from './big.ts'

const wsMutant = mutantsOf('today', 'ws')

/** Changes what a subscription of one kind tells; undefined leaves it out. */
function rewriteStream(
  kind: string,
  change: (result: JsonObject) => JsonObject | undefined,
): () => MutantHooks {
  return () => {
    const asked = new Map<unknown, unknown>()
    const ids = new Set<unknown>()
    return {
      call(call) {
        if (call.method === 'eth_subscribe') asked.set(call.id, call.params[0])
        return call
      },
      message(message) {
        if (asked.get(message.id) === kind) ids.add(message.result)
        const params = message.params as { subscription?: unknown; result?: JsonObject } | undefined
        if (!params?.result || !ids.has(params.subscription)) return { message, delay: 0 }
        const result = change(params.result)
        return result ? { message: { ...message, params: { ...params, result } }, delay: 0 } : null
      },
    }
  }
}

/** Mutants of what a subscription tells of blocks of 200 ms. */
export const TODAY_STREAM_MUTANTS: readonly Mutant[] = [
  wsMutant(
    'TODAY-WS-01',
    'each-fifth',
    'Every fifth head alone is told',
    rewriteStream('newHeads', (head) => (big(head.number) % 5n === 0n ? head : undefined)),
  ),
  wsMutant(
    'TODAY-WS-02',
    'head-without',
    'Heads have no timestampMs',
    rewriteStream('newHeads', (head) => without(head, 'timestampMs')),
  ),
  wsMutant(
    'TODAY-WS-03',
    'log-without',
    'Logs that are told have no blockTimestampMs',
    rewriteStream('logs', (log) => without(log, 'blockTimestampMs')),
  ),
  wsMutant(
    'TODAY-WS-04',
    'pending-logs-tell',
    'pendingLogs tells the logs of sealed blocks',
    rewriteParams('eth_subscribe', (params) =>
      params[0] === 'pendingLogs' ? ['logs', {}] : params,
    ),
  ),
  wsMutant(
    'TODAY-WS-05',
    'flashblocks-refused',
    'newFlashblocks is refused',
    answerInstead('eth_subscribe', ([kind]) =>
      kind === 'newFlashblocks'
        ? { error: { code: -32602, message: 'Invalid params' } }
        : undefined,
    ),
  ),
  wsMutant(
    'TODAY-CROSS-06',
    'head-lost',
    'Heads whose number ends with 3 are not told',
    rewriteStream('newHeads', (head) => (big(head.number) % 10n === 3n ? undefined : head)),
  ),
]
