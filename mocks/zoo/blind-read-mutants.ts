import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from './mutant.ts'
import { unmutated } from './mutate-rpc-body.ts'
import { rewriteResponse, rewriteResult, without } from './rewrites.ts'

const [envelope, selectors] = [mutantsOf('envelope', 'rpc'), mutantsOf('selectors', 'rpc')]
const pending = mutantsOf('pending', 'rpc')
const [logs, simulate] = [mutantsOf('logs', 'rpc'), mutantsOf('simulate', 'rpc')]
const stream = mutantsOf('stream', 'ws')

const list = (value: unknown) => value as JsonObject[]
const hex = (value: number | bigint) => `0x${value.toString(16)}`

/** What is asked of an account at pending, changed by what the sealed state says. */
const ofAccount = (method: string, change: (now: bigint, sealed: bigint) => bigint) =>
  rewriteResult(method, async (result, { params: [account, tag] }, { ask }) => {
    if (tag !== 'pending') return result
    const sealed = await ask(method, [account, 'latest'])
    return hex(change(BigInt(String(result)), BigInt(String(sealed))))
  })

/** A balancer of several nodes, one of which is behind. */
const behindNowAndThen = (ofLooks: number) => (): MutantHooks => {
  const before: { whole: unknown; block: JsonObject }[] = []
  let looks = 0
  return {
    response(response, { method, params: [tag, whole] }) {
      const block = response.result as JsonObject | undefined
      if (method !== 'eth_getBlockByNumber' || tag !== 'pending' || !block) return response
      const older = before.findLast(
        (each) =>
          each.whole === whole &&
          each.block.parentHash === block.parentHash &&
          list(each.block.transactions).length < list(block.transactions).length,
      )
      before.push({ whole, block })
      looks += 1
      return looks % ofLooks === 0 && older ? { ...response, result: older.block } : response
    },
  }
}

/** Equal questions that are under way are one, and so is their answer, id and all. */
const singleFlight = (): MutantHooks => {
  const flying = new Map<string, ReturnType<NonNullable<MutantHooks['http']>>>()
  return {
    async http(request, forward) {
      const [, question] = /"method":("eth_(?:get|call).*)/.exec(request.body) ?? []
      if (!question) return forward(request)
      const key = question.replace(/,?"id":[^,}]*/, '')
      const answer = flying.get(key) ?? forward(request)
      flying.set(key, answer)
      return answer.finally(() => flying.delete(key))
    },
  }
}

/** Slots that a simulation has set, each read once as it was set there. */
const leakingSlots = (): MutantHooks => {
  const leaked = new Map<string, unknown>()
  const keyOf = (address: unknown, slot: unknown) =>
    `${String(address).toLowerCase()} ${BigInt(String(slot))}`
  return {
    response(response, { method, params: [first, slot] }) {
      if (!('result' in response)) return response
      if (method === 'eth_simulateV1')
        for (const { stateOverrides } of list(Object(first).blockStateCalls))
          for (const [address, over] of Object.entries(Object(stateOverrides)))
            for (const [name, value] of Object.entries(Object(Object(over).stateDiff)))
              leaked.set(keyOf(address, name), value)
      if (method !== 'eth_getStorageAt') return response
      const key = keyOf(first, slot)
      const result = leaked.get(key) ?? response.result
      leaked.delete(key)
      return { ...response, result }
    },
  }
}

/** A log that is on its way to a listener. */
interface Streamed {
  /** Of the subscription, and those of its connection from the oldest on. */
  id: string
  ofSocket: readonly string[]
  log: JsonObject
  at: number
  /** Whether its connection has ended a subscription, or was answered with an error. */
  hasEnded: boolean
  hasFailed: boolean
  /** Whether nobody asked for the same later on. */
  isNewest: boolean
}

interface Socket {
  asked: Map<unknown, string>
  ids: string[]
  hasEnded: boolean
  hasFailed: boolean
}

/** A node that knows of each connection what happened there, and makes the wrong thing of it. */
const streaming =
  (
    kind: 'logs' | 'pendingLogs',
    makeChange: () => (streamed: Streamed) => { id?: string; log?: JsonObject } | null,
  ): Mutant['apply'] =>
  ({ clock }) => {
    const sockets = new Map<object, Socket>()
    const newest = new Map<string, string>()
    const questions = new Map<string, string>()
    const change = makeChange()
    const at = (socket: object) => {
      const known = sockets.get(socket)
      if (known) return known
      const own: Socket = { asked: new Map(), ids: [], hasEnded: false, hasFailed: false }
      sockets.set(socket, own)
      return own
    }
    return {
      call(call, socket) {
        if (!socket) return call
        const own = at(socket)
        if (call.method === 'eth_unsubscribe') own.hasEnded = true
        if (call.method === 'eth_subscribe' && call.params[0] === kind)
          own.asked.set(call.id, JSON.stringify(call.params))
        return call
      },
      message(message, socket) {
        const own = at(socket)
        if ('error' in message) own.hasFailed = true
        const question = own.asked.get(message.id)
        if (question && typeof message.result === 'string') {
          own.asked.delete(message.id)
          own.ids.push(message.result)
          newest.set(question, message.result)
          questions.set(message.result, question)
        }
        const { subscription: id, result: log } = Object(message.params)
        if (!own.ids.includes(id)) return unmutated(message)
        const { ids: ofSocket, hasEnded, hasFailed } = own
        const isNewest = newest.get(questions.get(id)!) === id
        const about = { id, ofSocket, log, at: clock.now(), hasEnded, hasFailed, isNewest }
        const changed = change(about)
        if (!changed) return null
        const params = { subscription: changed.id ?? id, result: changed.log ?? log }
        return unmutated({ ...message, params })
      },
    }
  }

/** Sends only some of the logs. */
const onlyThose = (isSent: (streamed: Streamed) => boolean) =>
  streaming('pendingLogs', () => (streamed) => (isSent(streamed) ? {} : null))

/** How often each was counted. */
function createCounts() {
  const counts = new Map<string, number>()
  return (name: string) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count
  }
}

/** Milliseconds, and logs that one listener is sent in them at most. */
const [MOMENT, MOST] = [50, 8]

/** Mistakes that a list of plausible ones, written from the specification alone, had and the zoo had not. */
export const BLIND_READ_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-10',
    'null-left-out-elsewhere',
    'Of an unknown transaction there is no result at all',
    rewriteResponse((response, { method }) =>
      method.startsWith('eth_getTransaction') && response.result === null
        ? without(response, 'result')
        : response,
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'single-flight',
    'Of two equal requests under way the second gets the id of the first',
    singleFlight,
  ),
  selectors(
    'RPC-SEL-09',
    'one-more-nonce',
    'Counts one pre-confirmed transaction of a sender at most',
    ofAccount('eth_getTransactionCount', (now, sealed) => (now > sealed ? sealed + 1n : now)),
  ),
  selectors(
    'RPC-SEL-09',
    'new-account-empty',
    'A new account has nothing until its block is sealed',
    ofAccount('eth_getBalance', (now, sealed) => (sealed === 0n ? 0n : now)),
  ),
  pending(
    'RPC-PEND-06',
    'node-behind',
    'Each fourth look at pending comes from a node that is behind',
    behindNowAndThen(4),
  ),
  logs(
    'RPC-FLT-08',
    'twice-listed-twice-found',
    'An address that is listed twice brings its logs twice',
    rewriteResult('eth_getLogs', (result, { params }) => {
      const { address } = Object(params[0])
      if (!Array.isArray(address)) return result
      const listed = address.map((each) => String(each).toLowerCase())
      return list(result).flatMap((log) =>
        listed.filter((each) => each === String(log.address).toLowerCase()).map(() => log),
      )
    }),
  ),
  simulate(
    'RPC-SIM-31',
    'slot-leaks',
    'A slot that a simulation has set is read so once after it',
    leakingSlots,
  ),
  stream(
    'RPC-WS-02',
    'second-by-the-first',
    'All of a connection comes by the id of its first subscription',
    streaming(
      'pendingLogs',
      () =>
        ({ ofSocket: [id] }) =>
          id ? { id } : {},
    ),
  ),
  stream(
    'RPC-WS-02',
    'one-ends-all',
    'The end of one subscription silences all of its connection',
    onlyThose(({ hasEnded }) => !hasEnded),
  ),
  stream(
    'RPC-WS-02',
    'silent-after-an-error',
    'Falls silent on a connection that had an error',
    onlyThose(({ hasFailed }) => !hasFailed),
  ),
  stream(
    'RPC-WS-02',
    'newest-client-alone',
    'Of those who asked for the same only the newest is served',
    onlyThose(({ isNewest }) => isNewest),
  ),
  stream(
    'RPC-WS-02',
    'eight-at-once',
    'Sends eight logs of a moment, and lets the others go',
    streaming('pendingLogs', () => {
      const count = createCounts()
      return ({ id, at }) => (count(`${id} ${Math.floor(at / MOMENT)}`) < MOST ? {} : null)
    }),
  ),
  stream('RPC-WS-02', 'first-alternative', 'Hears the first of alternative topics alone', () => ({
    call(call) {
      const [kind, filter] = call.params ?? []
      const { topics } = Object(filter)
      if (kind !== 'pendingLogs' || !Array.isArray(topics)) return call
      const first = topics.map((each) => (Array.isArray(each) ? each.slice(0, 1) : each))
      return { ...call, params: [kind, { ...Object(filter), topics: first }] }
    },
  })),
  stream(
    'RPC-LOG-11',
    'index-of-transaction',
    'Counts streamed logs of each transaction from zero',
    streaming('pendingLogs', () => {
      const count = createCounts()
      return ({ id, log }) => ({
        log: { ...log, logIndex: hex(count(`${id} ${log.transactionHash}`)) },
      })
    }),
  ),
  stream(
    'RPC-LOG-13',
    'one-removed',
    'Of the logs of a block that is taken out, the first alone is marked as removed',
    streaming('logs', () => {
      const count = createCounts()
      return ({ id, log }) => {
        if (!log.removed) return {}
        return { log: { ...log, removed: count(`${id} ${log.blockHash}`) === 0 } }
      }
    }),
  ),
]
