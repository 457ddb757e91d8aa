import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { unmutated } from '../mutate-rpc-body.ts'
import { parseJson } from '../parts/parse-json.ts'
import { type Streamed, streaming } from './streaming.ts'

const stream = mutantsOf('stream', 'ws')

/** Sends only some of the logs. */
const onlyThose = (isSent: (streamed: Streamed) => boolean) =>
  streaming('pendingLogs', () => (streamed) => (isSent(streamed) ? {} : null))

/** Hears nothing of the filters that fit. */
const deafTo =
  (fits: (params: readonly unknown[]) => boolean): Mutant['apply'] =>
  () => ({
    call(call) {
      const isDeaf = call.params?.[0] === 'pendingLogs' && fits(call.params)
      const filter = { ...Object(call.params?.[1]), address: `0x${'5a'.repeat(20)}` }
      return isDeaf ? { ...call, params: ['pendingLogs', filter] } : call
    },
  })
const filterOf = ([, filter]: readonly unknown[]) => Object(filter) as JsonObject

/** Clients by the order of their connections. */
const byClient = (isSilent: (place: number) => boolean) =>
  streaming('pendingLogs', () => {
    const sockets: object[] = []
    return ({ socket }) => {
      if (!sockets.includes(socket)) sockets.push(socket)
      return isSilent(sockets.indexOf(socket)) ? null : {}
    }
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

/** So many subscriptions has a connection in all. */
const MOST_EVER = 16

const logOf = ({ params }: JsonObject) => (params as { result?: JsonObject } | undefined)?.result

/** Changes the first message that is pushed, to whomever. */
const firstMessage = (change: (params: JsonObject) => JsonObject) => (): MutantHooks => {
  let isFirst = true
  return {
    message(message) {
      if (!isFirst || !logOf(message)) return unmutated(message)
      isFirst = false
      return unmutated({ ...message, params: change(message.params as JsonObject) })
    },
  }
}

/** A variable of the whole batch, where each of its calls needs one of its own. */
const filterOfTheLast: Mutant['apply'] = () => ({
  text(text) {
    const batch = parseJson(text)
    if (!Array.isArray(batch)) return text
    const last = (batch as JsonObject[]).findLast(({ method }) => method === 'eth_subscribe')
    return JSON.stringify(
      batch.map((each: JsonObject) =>
        last && each.method === 'eth_subscribe' ? { ...each, params: last.params } : each,
      ),
    )
  },
})

/** Mutants that serve some subscriptions and not others: by their filter, their connection or their place. */
export const SUBSCRIPTION_MUTANTS: readonly Mutant[] = [
  stream(
    'RPC-WS-02',
    'long-messages-dropped',
    'Drops a message whose length needs more than 16 bits',
    onlyThose(({ log }) => JSON.stringify(log).length < 65_536),
  ),
  stream(
    'RPC-WS-02',
    'filter-of-the-last',
    'All subscriptions of a batch get the filter of its last',
    filterOfTheLast,
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
  stream('RPC-WS-02', 'first-alternative', 'Hears the first of alternative topics alone', () => ({
    call(call) {
      const [kind, filter] = call.params ?? []
      const { topics } = Object(filter)
      if (kind !== 'pendingLogs' || !Array.isArray(topics)) return call
      const first = topics.map((each) => (Array.isArray(each) ? each.slice(0, 1) : each))
      return { ...call, params: [kind, { ...Object(filter), topics: first }] }
    },
  })),
  stream('RPC-ENV-09', 'ids-swapped', 'Swaps the ids of two answers under way', () => {
    const open = new WeakMap<object, Set<unknown>>()
    const swapped = new WeakMap<object, Map<unknown, unknown>>()
    return {
      call(call, socket) {
        if (socket) open.set(socket, (open.get(socket) ?? new Set()).add(call.id))
        return call
      },
      message(message, socket) {
        const [ids, other] = [open.get(socket), swapped.get(socket) ?? new Map()]
        if (!ids?.delete(message.id)) return unmutated(message)
        const next = [...ids].find((id) => !other.has(id))
        if (!other.has(message.id) && next !== undefined) {
          other.set(message.id, next).set(next, message.id)
          swapped.set(socket, other)
        }
        return unmutated({ ...message, id: other.get(message.id) ?? message.id })
      },
    }
  }),
  stream(
    'RPC-WS-02',
    'deaf-to-capitals',
    'Hears nothing of an address with capitals',
    deafTo((params) => /[A-F]/.test(JSON.stringify(filterOf(params).address ?? ''))),
  ),
  stream('RPC-WS-02', 'first-of-addresses', 'Hears the first address of a list alone', () => ({
    call(call) {
      const [kind, filter] = call.params ?? []
      const { address } = Object(filter)
      if (kind !== 'pendingLogs' || !Array.isArray(address)) return call
      return { ...call, params: [kind, { ...Object(filter), address: address.slice(0, 1) }] }
    },
  })),
  stream(
    'RPC-WS-02',
    'third-client-silent',
    'Sends nothing to the third connection and those after it',
    byClient((place) => place > 1),
  ),
  stream(
    'RPC-WS-02',
    'ninth-silent',
    'Sends nothing to the ninth subscription of a connection',
    streaming('pendingLogs', () => {
      const ids = new WeakMap<object, string[]>()
      return ({ id, socket }) => {
        const own = ids.get(socket) ?? []
        if (!own.includes(id)) own.push(id)
        ids.set(socket, own)
        return own.indexOf(id) < 8 ? {} : null
      }
    }),
  ),
  stream(
    'RPC-WS-01',
    'ended-still-counted',
    'Refuses who has begun sixteen on a connection, though they have ended',
    () => {
      const begun = new WeakMap<object, number>()
      return {
        call(call, socket) {
          if (!socket || call.method !== 'eth_subscribe') return call
          const count = (begun.get(socket) ?? 0) + 1
          begun.set(socket, count)
          const error = { code: -32000, message: 'too many subscriptions' }
          return count > MOST_EVER ? { reply: { jsonrpc: '2.0', id: call.id, error } } : call
        },
      }
    },
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
  stream(
    'RPC-WS-01',
    'first-refused',
    'Refuses the first of all subscriptions to pendingLogs',
    () => {
      let isReady = false
      return {
        call(call) {
          if (isReady || call.method !== 'eth_subscribe' || call.params[0] !== 'pendingLogs')
            return call
          isReady = true
          const error = { code: -32602, message: 'Invalid params' }
          return { reply: { jsonrpc: '2.0', id: call.id, error } }
        },
      }
    },
  ),
  stream(
    'RPC-WS-02',
    'first-to-nobody',
    'Sends its first message by an id that was never confirmed',
    firstMessage((params) => ({ ...params, subscription: `${params.subscription} ` })),
  ),
  stream(
    'RPC-LOG-01',
    'first-unfinished',
    'Leaves removed out of the log of its first message',
    firstMessage(({ result, ...params }) => {
      const { removed: _, ...log } = result as JsonObject
      return { ...params, result: log }
    }),
  ),
]
