import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { plusOne } from '../plus-one.ts'
import { streaming } from './streaming.ts'

const stream = mutantsOf('stream', 'ws')

/** Longer than any block: what is held back so long arrives after sealing. */
const PAST_SEALING = 3_500
/** Milliseconds: three refreshes, and before most blocks end. */
const BEHIND = 600
/** Rarely enough that nobody meets it who looks at three logs. */
const RARE = 20

const logOf = (message: JsonObject) =>
  message.method === 'eth_subscription'
    ? (message.params as { result?: JsonObject }).result
    : undefined

const withLog = (message: JsonObject, log: JsonObject): JsonObject => ({
  ...message,
  params: { ...(message.params as JsonObject), result: log },
})

/** Does something to each twentieth log that goes out. */
const eachTwentieth =
  (
    change: (
      message: JsonObject,
      log: JsonObject,
      before: JsonObject | undefined,
    ) => { message: JsonObject; delay: number } | null,
  ): Mutant['apply'] =>
  () => {
    let met = 0
    let before: JsonObject | undefined
    return {
      message(message) {
        const log = logOf(message)
        if (!log) return { message, delay: 0 }
        met += 1
        const changed = met % RARE === 0 ? change(message, log, before) : { message, delay: 0 }
        before = log
        return changed
      },
    }
  }

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
const MOMENT = 50

const MOST = 8

/** Mutants of the logs that are pushed: lost, late, twice, or with a wrong member. */
export const STREAMED_LOG_MUTANTS: readonly Mutant[] = [
  stream(
    'RPC-WS-02',
    'rarely-lost',
    'Loses one log of twenty',
    eachTwentieth(() => null),
  ),
  stream(
    'RPC-WS-02',
    'rarely-late',
    'Sends one log of twenty after its block is sealed',
    eachTwentieth((message) => ({ message, delay: PAST_SEALING })),
  ),
  stream(
    'RPC-WS-02',
    'always-behind',
    'Sends each log 600 ms after the pending block shows it',
    () => ({
      message: (message) => ({ message, delay: logOf(message) ? BEHIND : 0 }),
    }),
  ),
  stream(
    'RPC-WS-02',
    'rarely-twice',
    'Sends the log before again in place of one of twenty',
    eachTwentieth((message, log, before) => ({
      message: withLog(message, before ?? log),
      delay: 0,
    })),
  ),
  stream(
    'RPC-WS-02',
    'rarely-foreign',
    'Sends a log of no transaction for one of twenty',
    eachTwentieth((message, log) => ({
      message: withLog(message, { ...log, transactionHash: `0x${'5a'.repeat(32)}` }),
      delay: 0,
    })),
  ),
  stream(
    'RPC-LOG-06',
    'rarely-next-block',
    'One log of twenty names the block after its own',
    eachTwentieth((message, log) => ({
      message: withLog(message, { ...log, blockNumber: plusOne(log.blockNumber) }),
      delay: 0,
    })),
  ),
  stream('RPC-LOG-13', 'removed-emptied', 'A log that is taken out has no data', () => ({
    message(message) {
      const params = Object(message.params) as JsonObject
      const log = Object(params.result) as JsonObject
      if (log.removed !== true) return { message, delay: 0 }
      return {
        message: { ...message, params: { ...params, result: { ...log, data: '0x' } } },
        delay: 0,
      }
    },
  })),
  stream(
    'RPC-WS-02',
    'eight-at-once',
    'Sends eight logs of a moment, and lets the others go',
    streaming('pendingLogs', () => {
      const count = createCounts()
      return ({ id, at }) => (count(`${id} ${Math.floor(at / MOMENT)}`) < MOST ? {} : null)
    }),
  ),
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
  stream(
    'RPC-WS-02',
    'equals-dropped',
    'Drops a log that says what the one before it said',
    streaming('pendingLogs', () => {
      const last = new Map<string, string>()
      return ({ log, id }) => {
        const now = JSON.stringify([log.address, log.topics, log.data])
        const before = last.get(id)
        last.set(id, now)
        return before === now ? null : {}
      }
    }),
  ),
  stream('RPC-WS-02', 'sealed-instead', 'Streams the logs of sealed blocks', () => ({
    call: (request) =>
      request.method === 'eth_subscribe' && request.params[0] === 'pendingLogs'
        ? { ...request, params: ['logs', request.params[1] ?? {}] }
        : request,
  })),
]
