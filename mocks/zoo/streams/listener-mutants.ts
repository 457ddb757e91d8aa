import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { unmutated } from '../mutate-rpc-body.ts'
import { asList } from '../parts/as-list.ts'
import { type Streamed, streaming } from './streaming.ts'

const stream = mutantsOf('stream', 'ws')

/** Sends only some of the logs. */
const onlyThose = (isSent: (streamed: Streamed) => boolean) =>
  streaming('pendingLogs', () => (streamed) => (isSent(streamed) ? {} : null))

/** Milliseconds: what comes later than so after the first log of a block is of another batch. */
const ONE_BATCH = 150
/** Letters of the data of a log that is large: 1 KiB. */
const LARGE = 2 + 2 * 1_024
/** Milliseconds without a log, after which a subscription is thought to be left. */
const IDLE = 2_000
/** Logs, and milliseconds, after which a line is thought to be done with. */
const ENOUGH = 40
const LONG = 4_000

/** The filter of a subscription, as it is read. */
const readingFilter =
  (change: (filter: JsonObject) => JsonObject): Mutant['apply'] =>
  () => ({
    call(call) {
      const [kind, filter] = call.params
      if (kind !== 'pendingLogs' || typeof filter !== 'object' || filter === null) return call
      return { ...call, params: [kind, change(filter as JsonObject)] }
    },
  })

/** Refuses some of the ways to ask for all logs. */
const refusingFilter =
  (fits: (params: readonly unknown[]) => boolean): Mutant['apply'] =>
  () => ({
    call(call) {
      if (call.params[0] !== 'pendingLogs' || !fits(call.params)) return call
      const error = { code: -32602, message: 'Invalid params' }
      return { reply: { jsonrpc: '2.0', id: call.id, error } }
    },
  })

/** Whoever was connected when somebody left hears no more. */
const silentAfterALeave = (): MutantHooks => {
  const here = new Set<object>()
  const deaf = new WeakSet<object>()
  const listens = new WeakSet<object>()
  return {
    call(call, socket) {
      if (socket && call.method === 'eth_subscribe') listens.add(socket)
      if (socket) here.add(socket)
      return call
    },
    left(socket) {
      here.delete(socket)
      if (listens.has(socket)) for (const each of here) deaf.add(each)
    },
    message: (message, socket) =>
      deaf.has(socket) && 'method' in message ? null : unmutated(message),
  }
}

/** An id ends what it names, on whatever line. */
const endsThatOfOthers = (): MutantHooks => {
  const ended = new Set<unknown>()
  return {
    call(call) {
      if (call.method !== 'eth_unsubscribe') return call
      ended.add(call.params[0])
      return call
    },
    message(message) {
      const { subscription } = Object(message.params)
      return ended.has(subscription) ? null : unmutated(message)
    },
  }
}

/** Mutants that serve a listener until something happens, or but for some logs. */
export const LISTENER_MUTANTS: readonly Mutant[] = [
  stream(
    'RPC-WS-02',
    'newest-of-a-line',
    'Serves the newest subscription of a connection alone',
    onlyThose(({ id, ofSocket }) => ofSocket.at(-1) === id),
  ),
  stream(
    'RPC-WS-02',
    'first-batch-alone',
    'Of the batches of a block the first with logs is sent alone',
    streaming('pendingLogs', () => {
      const first = new Map<string, number>()
      return ({ id, log, at }) => {
        const key = `${id} ${log.blockNumber}`
        if (!first.has(key)) first.set(key, at)
        return at - first.get(key)! < ONE_BATCH ? {} : null
      }
    }),
  ),
  stream(
    'RPC-WS-02',
    'first-transaction-lost',
    'Loses the logs of the first transaction of a block',
    onlyThose(({ log }) => log.transactionIndex !== '0x1'),
  ),
  stream(
    'RPC-WS-02',
    'null-place-skipped',
    'Takes a topic behind a null for the first',
    readingFilter((filter) => {
      const { topics } = filter
      const isMeant = Array.isArray(topics) && topics[0] === null
      return isMeant ? { ...filter, topics: topics.slice(1) } : filter
    }),
  ),
  stream(
    'RPC-WS-02',
    'deaf-to-topics-in-capitals',
    'Hears nothing of a topic with capitals',
    readingFilter((filter) =>
      /[A-F]/.test(JSON.stringify(filter.topics ?? ''))
        ? { ...filter, address: `0x${'5a'.repeat(20)}` }
        : filter,
    ),
  ),
  stream(
    'RPC-WS-02',
    'third-place-ignored',
    'Does not look at the third place of a filter and those behind',
    readingFilter((filter) =>
      Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, 2) } : filter,
    ),
  ),
  stream(
    'RPC-WS-02',
    'one-list-of-topics',
    'Looks at the first place of a filter alone',
    readingFilter((filter) =>
      Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, 1) } : filter,
    ),
  ),
  stream(
    'RPC-WS-02',
    'address-or-topics',
    'Of a filter with an address and topics the address counts alone',
    readingFilter(({ topics, ...filter }) =>
      filter.address === undefined ? { ...filter, ...(topics ? { topics } : {}) } : filter,
    ),
  ),
  stream(
    'RPC-WS-02',
    'silent-after-a-leave',
    'Falls silent when another listener has left',
    silentAfterALeave,
  ),
  stream(
    'RPC-WS-02',
    'large-lost',
    'Leaves out logs of more than 1 KiB',
    onlyThose(({ log }) => String(log.data).length <= LARGE),
  ),
  stream(
    'RPC-LOG-05',
    'large-cut',
    'Cuts the data of a log after 1 KiB',
    streaming('pendingLogs', () => ({ log }) => ({
      log: { ...log, data: String(log.data).slice(0, LARGE) },
    })),
  ),
  stream(
    'RPC-WS-02',
    'topicless-lost',
    'Leaves out logs without topics',
    onlyThose(({ log }) => asList(log.topics).length > 0),
  ),
  stream(
    'RPC-LOG-02',
    'address-of-transaction',
    'All logs of a transaction have the address of its first',
    streaming('pendingLogs', () => {
      const first = new Map<unknown, unknown>()
      return ({ log }) => {
        const address = first.get(log.transactionHash) ?? log.address
        first.set(log.transactionHash, address)
        return { log: { ...log, address } }
      }
    }),
  ),
  stream(
    'RPC-WS-01',
    'empty-filter-refused',
    'Refuses a filter without members',
    refusingFilter(([, filter]) => JSON.stringify(filter) === '{}'),
  ),
  stream(
    'RPC-WS-01',
    'no-filter-refused',
    'Refuses to go without a filter',
    refusingFilter((params) => params.length === 1),
  ),
  stream(
    'RPC-WS-02',
    'ends-that-of-others',
    'Ends a subscription by its id on another line',
    endsThatOfOthers,
  ),
  stream(
    'RPC-WS-02',
    'forty-and-no-more',
    'Sends forty logs to a subscription',
    streaming('pendingLogs', () => {
      const sent = new Map<string, number>()
      return ({ id }) => {
        const count = (sent.get(id) ?? 0) + 1
        sent.set(id, count)
        return count <= ENOUGH ? {} : null
      }
    }),
  ),
  stream(
    'RPC-WS-02',
    'four-seconds',
    'Falls silent four seconds after the first log',
    streaming('pendingLogs', () => {
      const first = new Map<string, number>()
      return ({ id, at }) => {
        if (!first.has(id)) first.set(id, at)
        return at - first.get(id)! < LONG ? {} : null
      }
    }),
  ),
  stream(
    'RPC-WS-02',
    'idle-swept',
    'Forgets a subscription that had nothing to hear for two seconds',
    streaming('pendingLogs', () => {
      const heard = new Map<unknown, number>()
      let first: number | undefined
      return ({ id, at }) => {
        first ??= at
        const isSwept = at - (heard.get(id) ?? first) > IDLE
        if (!isSwept) heard.set(id, at)
        return isSwept ? null : {}
      }
    }),
  ),
]
