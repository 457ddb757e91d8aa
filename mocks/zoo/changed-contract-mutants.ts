import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from './mutant.ts'
import { rewriteResult } from './rewrites.ts'

/**
 * Mutants that are right for contracts that stood before and for slots that hold something, and for
 * subscriptions that were there first.
 */

const [call, storage, simulate] = [
  ...[mutantsOf('call', 'rpc'), mutantsOf('storage', 'rpc'), mutantsOf('simulate', 'rpc')],
] as const
const logs = mutantsOf('logs', 'rpc')
const stream = mutantsOf('stream', 'ws')

const ZERO_WORD = `0x${'00'.repeat(32)}`

/** What the first call of a simulation returned; the result itself elsewhere. */
function valueIn(result: unknown): unknown {
  const [block] = Array.isArray(result) ? (result as { calls?: JsonObject[] }[]) : []
  return block ? block.calls?.[0]?.returnData : result
}

/** Answers with what latest says where `isMeant` of both. */
const asAtLatest = (
  method: string,
  isMeant: (values: { pending: unknown; latest: unknown }) => boolean,
): Mutant['apply'] =>
  rewriteResult(method, async (result, { params }, { ask }) => {
    const place = params.indexOf('pending')
    if (place < 0) return result
    const latest = await ask(method, params.with(place, 'latest'))
    return isMeant({ pending: valueIn(result), latest: valueIn(latest) }) ? latest : result
  })

const METHODS = [
  [call, 'RPC-CALL-19', 'eth_call', '0x'],
  [storage, 'RPC-STOR-08', 'eth_getStorageAt', ZERO_WORD],
  [simulate, 'RPC-SIM-03', 'eth_simulateV1', '0x'],
] as const

/** Leaves logs out of pending whose transaction `isMeant`. */
const pendingWithout = (
  isMeant: (transaction: JsonObject, log: JsonObject) => boolean,
): Mutant['apply'] =>
  rewriteResult('eth_getLogs', async (result, _, { ask }) => {
    const block = (await ask('eth_getBlockByNumber', ['pending', true])) as {
      transactions: JsonObject[]
    } | null
    const listed = new Map(block?.transactions.map((each) => [each.hash, each]))
    return (result as JsonObject[]).filter((log) => {
      const transaction = listed.get(log.transactionHash)
      return !transaction || !isMeant(transaction, log)
    })
  })

/** Tells which subscriptions came of calls that are meant, and drops what is sent to them while it `isMute`. */
function mutes(
  isMeant: (method: string, params: readonly unknown[]) => boolean,
  isMute: (message: JsonObject) => boolean = () => true,
): MutantHooks {
  const asked = new Set<unknown>()
  const meant = new Set<unknown>()
  return {
    call(request) {
      if (isMeant(request.method, request.params)) asked.add(request.id)
      return request
    },
    message(message) {
      if (asked.delete(message.id)) meant.add(message.result)
      const { subscription } = (message.params ?? {}) as JsonObject
      // Asked of every message, as it may be one of another subscription that makes it mute.
      const drops = isMute(message)
      return drops && meant.has(subscription) ? null : { message, delay: 0 }
    },
  }
}

const logOf = ({ params }: JsonObject) => (params as { result?: JsonObject } | undefined)?.result

export const CHANGED_CONTRACT_MUTANTS: readonly Mutant[] = [
  ...METHODS.flatMap(([mutant, rule, method, none]) => [
    mutant(
      rule,
      'pending-created-missing',
      'Finds no contract at pending that latest has not',
      asAtLatest(method, ({ latest }) => latest === none),
    ),
    mutant(
      rule,
      'pending-cleared-stale',
      'Reads at latest what is zero at pending',
      asAtLatest(method, ({ pending }) => pending === ZERO_WORD),
    ),
  ]),
  logs(
    'RPC-GETLOGS-02',
    'pending-of-creations-lost',
    'Leaves out of pending what creating transactions logged',
    pendingWithout(({ to }) => to === null),
  ),
  logs(
    'RPC-GETLOGS-02',
    'pending-of-callees-lost',
    'Leaves out of pending what another contract than the called one logged',
    pendingWithout(({ to }, { address }) => typeof to === 'string' && to !== address),
  ),
  stream(
    'RPC-WS-02',
    'mute-after-an-end',
    'Tells nothing to who subscribes after another left',
    () => {
      let hasEnded = false
      return mutes((method) => {
        const isFirst = hasEnded && method === 'eth_subscribe'
        hasEnded = method === 'eth_unsubscribe' || (hasEnded && !isFirst)
        return isFirst
      })
    },
  ),
  stream('RPC-WS-02', 'mute-after-a-reorganization', 'Tells nothing after a reorganization', () => {
    let isReorganized = false
    return mutes(
      (_, [kind]) => kind === 'pendingLogs',
      (message) => {
        isReorganized ||= logOf(message)?.removed === true
        return isReorganized
      },
    )
  }),
  stream('RPC-WS-02', 'constructors-lost', 'Tells nothing of what a constructor logged', () => {
    const known = new Set<unknown>()
    return {
      message(message) {
        const log = logOf(message)
        const isNew = log?.data === '0x' && !known.has(log.address)
        known.add(log?.address)
        return isNew ? null : { message, delay: 0 }
      },
    }
  }),
]
