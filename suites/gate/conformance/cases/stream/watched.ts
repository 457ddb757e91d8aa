import { CaseFailure } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { poll } from '../../poll.ts'
import { isSealed } from '../../reads/is-sealed.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { LogIndex } from '../../seen/log-index.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import {
  contentOf,
  expectStreamedForm,
  fits,
  type JudgedStream,
  streamedAndSealed,
} from '../../watch/streamed-and-sealed.ts'
import { PENDING_LOGS } from '../../watch/watch-node.ts'
import type { Hex } from '../../wire/hex.ts'

/** A message after the answer that showed its block sealed, by so much, is late; milliseconds. */
const LATE = 1_000
/** With a look that took longer, nobody can tell when it was answered; milliseconds. */
const SLOW_LOOK = 400
/** A flashblock every 200 ms, and one for the message (RPC-PEND-10). */
const SOON = 400

/** A log that comes so much before its block is seen sealed was pre-confirmed; milliseconds. */
const WELL_BEFORE = 300
/** So many logs tell a stream of sealed blocks from one that is late now and then: one of five is early. */
const [ENOUGH, FEW] = [100, 5]

/** What nine looks of ten take at most where a delay can be told to the node; milliseconds. */
const QUICK_LOOK = 40

/** Some blocks; milliseconds. */
const TIME_TO_SEAL = 10_000

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale' | 'level'>

/** A case that judges each stream of the watch. */
const ofStreams = (
  about: About,
  judge: (stream: JudgedStream, t: CaseContext) => void | Promise<void>,
): ConformanceCase => ({
  ...about,
  area: 'stream',
  needs: ['ws', 'rpc', 'driver'],
  judgesAll: true,
  watches: true,
  async run(t) {
    for (const stream of await streamedAndSealed(t)) await judge(stream, t)
  },
})

export const cases = defineCases([
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-complete.01',
      title: 'Each log of each block came to each listener once, as it was sealed, in order',
      rules: ['RPC-WS-02', 'RPC-LOG-02', 'RPC-LOG-03', 'RPC-LOG-05', 'RPC-LOG-08', 'RPC-LOG-11'],
      rationale: 'A listener that misses one of a thousand, or hears it twice, counts wrong.',
    },
    ({ name, expected, known, ...stream }) => {
      const own = known.filter(({ log }) => fits(log, stream))
      for (let at = 0; at < Math.max(expected.length, own.length); at++) {
        const [sealed, message] = [expected[at], own[at]]
        const actual = message && contentOf(message.log)
        try {
          expectEqual(
            actual ?? 'no message',
            sealed ? contentOf(sealed) : 'no further message',
            `log ${at + 1} of ${expected.length} to ${name}`,
          )
        } catch (error) {
          throw withExchange(error, message)
        }
      }
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-members.01',
      title: 'Each streamed log has its members in their forms, of the block that it was sealed in',
      rules: ['RPC-WS-02', 'RPC-LOG-01', 'RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-12'],
      // What may be null while it is pending is OPEN-09; another height or time it may not have.
      rationale: 'The parser of eth_getLogs reads the stream, and follows blocks by it.',
    },
    async ({ known, index, name }) => {
      const blocks = new Map(index.logs.map((log) => [log.transactionHash, log]))
      await judgeAny(known, `messages to ${name}`, ({ log }) => {
        const sealed = blocks.get(log.transactionHash)!
        expectStreamedForm(log)
        for (const member of ['blockNumber', 'blockTimestamp'])
          if (log[member] !== null) expectEqual(log[member], sealed[member], `log.${member}`)
      })
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-foreign.01',
      title: 'No listener is told of a log that no block has',
      rules: ['RPC-WS-02'],
      rationale: 'It pushes logs of pre-confirmed transactions, and these are sealed.',
    },
    async ({ messages, index, name }, { rpc, clock, signal }) => {
      const sealed = new Set(index.logs.map(({ transactionHash }) => transactionHash))
      // Somebody else's may have come when the newest blocks had been read: those are asked for.
      const others = new Set(messages.map(({ log }) => log?.transactionHash))
      for (const hash of others) {
        if (typeof hash !== 'string' || sealed.has(hash)) continue
        const look = async () => (await isSealed(rpc, hash as Hex)) || undefined
        if (await poll({ clock, signal, every: 200, within: TIME_TO_SEAL }, look)) sealed.add(hash)
        else break
      }
      await judgeAny(messages, `messages to ${name}`, ({ log }) => {
        const hash = expectObject(log, 'log').transactionHash
        expectThat(sealed.has(hash), 'a transaction that was sealed', hash, 'log.transactionHash')
      })
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-filter.01',
      title: 'A listener with a filter is told of no other logs',
      rules: ['RPC-WS-02'],
      level: 'should',
      rationale: 'Options are those of eth_getLogs without the blocks (OPEN-38).',
    },
    async (stream) =>
      judgeAny(stream.messages, `messages to ${stream.name}`, ({ log }) =>
        expectThat(fits(log, stream), `a log for ${JSON.stringify(stream.filter)}`, log, 'log'),
      ),
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-end.01',
      title: 'Nothing is told after the subscription has ended',
      rules: ['RPC-WS-01'],
      level: 'should',
      rationale: 'As for every other subscription (OPEN-39).',
    },
    async ({ messages, ended, name }) =>
      judgeAny(messages, `messages to ${name}`, ({ at, log }) =>
        expectThat(at <= ended, 'no message after the end was confirmed', log, 'log'),
      ),
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-early.01',
      title: 'No log is told only well after its block was seen sealed',
      rules: ['RPC-WS-02'],
      rationale: 'Logs come as they happen; held against every look at the newest block.',
    },
    async ({ known, index, name }, t) => {
      const heights = new Map(index.logs.map((log) => [log.transactionHash, log.blockNumber]))
      const sealedAt = firstSeenSealed(t)
      await judgeAny(known, `messages to ${name}`, ({ at, log }) => {
        const sealed = sealedAt.get(BigInt(String(heights.get(log.transactionHash))))
        if (sealed === undefined) return
        const after = at - sealed
        expectThat(after < LATE, 'before its block is sealed', `${after} ms after`, 'arrival')
      })
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-share.01',
      title: 'Most logs are told well before their block is seen sealed',
      rules: ['RPC-WS-02'],
      rationale:
        'Some come just before a block ends; where hardly one comes earlier, a stream is of sealed blocks.',
    },
    ({ known, index, name }, t) => {
      const sealedAt = firstSeenSealed(t)
      const heights = new Map(index.logs.map((log) => [log.transactionHash, log.blockNumber]))
      const ahead = known.flatMap(({ at, log }) => {
        const sealed = sealedAt.get(BigInt(String(heights.get(log.transactionHash))))
        return sealed === undefined ? [] : [sealed - at]
      })
      if (ahead.length < ENOUGH || blockTime(index) < 1n) return
      const early = ahead.filter((by) => by >= WELL_BEFORE).length
      expectThat(
        early >= ahead.length / FEW,
        `a ${FEW}th or more of ${ahead.length}`,
        early,
        `logs told ${WELL_BEFORE} ms before to ${name}`,
      )
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-latency.01',
      title: 'Half of all logs are told within two refreshes of 200 ms after the node took them',
      rules: ['RPC-PEND-10'],
      level: 'should',
      rationale: 'Percentiles over the whole run stand in the note.',
    },
    ({ known, name }, t) => {
      const taken = new Map(t.watched.sent.map(({ hash, taken }) => [hash as unknown, taken]))
      const delays = known
        .flatMap(({ at, log }) => {
          const since = taken.get(log.transactionHash)
          return since === undefined ? [] : [Math.max(0, at - since)]
        })
        .toSorted((a, b) => a - b)
      if (delays.length === 0) return
      const percentile = (share: number) => delays[Math.floor((delays.length - 1) * share)]!
      const said = [0.5, 0.9, 0.99].map((share) => `p${100 * share} ${percentile(share)} ms`)
      if (name.startsWith('all logs by client 1'))
        t.note(`${delays.length} logs of the watch were streamed after ${said.join(', ')}.`)
      // On a busy line or machine nobody knows whose delay it is.
      if (typicalLook(t) > QUICK_LOOK) return
      expectThat(
        percentile(0.5) <= SOON,
        `${SOON} ms or less`,
        said.join(', '),
        'delay of messages',
      )
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-behind-polls.01',
      title:
        'Half of all logs are told before two more refreshes have passed since eth_getLogs showed them',
      rules: ['RPC-WS-02'],
      rationale:
        'As they happen: whoever polls the pending block must not know them first; on a busy machine both wait alike.',
    },
    ({ known, name }, t) => {
      const shown = firstShownPending(t)
      const behind = known
        .flatMap(({ at, log }) => {
          const since = shown.get(log.transactionHash)
          return since === undefined ? [] : [at - since]
        })
        .toSorted((a, b) => a - b)
      const half = behind[behind.length >> 1] ?? 0
      if (behind.length < ENOUGH) return
      const what = `how far half of ${behind.length} logs to ${name} are behind eth_getLogs`
      expectThat(half <= SOON, `${SOON} ms or less`, `${half} ms`, what)
    },
  ),
  ofStreams(
    {
      id: 'ws.pendinglogs.watched-same-data.01',
      title: 'A streamed log is the one that eth_getLogs gives from pending to pending, whole',
      rules: ['RPC-WS-03'],
      level: 'should',
      rationale: 'Two views of one block agree, member by member.',
    },
    async ({ known, name }, t) => {
      const polled = new Map<string, JsonObject>()
      for (const log of t.seen.inCalm('eth_getLogs').filter(isOfPending).flatMap(logsOf))
        polled.set(`${log.transactionHash} ${log.logIndex}`, log)
      const both = known.flatMap((message) => {
        const { transactionHash, logIndex } = message.log
        const same = polled.get(`${transactionHash} ${logIndex}`)
        return same ? [{ ...message, same }] : []
      })
      await judgeAny(both, `messages to ${name}`, ({ log, same }) => expectEqual(log, same, 'log'))
    },
  ),
])

/** When the first quick look at the newest block showed each height; milliseconds. */
function firstSeenSealed({ seen }: CaseContext): Map<bigint, number> {
  const looks = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, asked, answered }) => params[0] === 'latest' && answered - asked < SLOW_LOOK)
  const sealedAt = new Map<bigint, number>()
  for (const { result, answered } of looks) {
    const height = BigInt(String((result as JsonObject).number))
    if (!sealedAt.has(height)) sealedAt.set(height, answered)
  }
  return sealedAt
}

/** When the first look from pending to pending that showed logs of a transaction was answered; milliseconds. */
function firstShownPending({ seen }: CaseContext): Map<unknown, number> {
  const shown = new Map<unknown, number>()
  for (const answer of seen.inCalm('eth_getLogs').filter(isOfPending))
    for (const { transactionHash } of logsOf(answer))
      shown.set(transactionHash, Math.min(answer.answered, shown.get(transactionHash) ?? Infinity))
  return shown
}

/** Seconds between the first and the last block, for each block. */
function blockTime({ first, last, logs }: LogIndex): bigint {
  const times = logs.map(({ blockTimestamp }) => BigInt(String(blockTimestamp)))
  if (times.length < 2 || last <= first) return 0n
  return (times.at(-1)! - times[0]!) / (last - first)
}

/** What nine of ten looks at the newest block took. */
function typicalLook({ seen }: CaseContext): number {
  const took = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params }) => params[0] === 'latest')
    .map(({ asked, answered }) => answered - asked)
    .toSorted((a, b) => a - b)
  return took[Math.floor(took.length * 0.9)] ?? 0
}

const isOfPending = ({ params: [filter] }: SeenAnswer) =>
  JSON.stringify(filter) === JSON.stringify(PENDING_LOGS)

const logsOf = ({ result }: SeenAnswer) =>
  (Array.isArray(result) ? result : []).filter((each): each is JsonObject => Object(each) === each)

/** A stream that was told nothing says nothing here: what it should have been told, one case asks. */
const judgeAny: typeof judgeEach = async (seen, what, judge) => {
  if (seen.length > 0) await judgeEach(seen, what, judge)
}

function withExchange(error: unknown, message: { exchange: CaseFailure['exchange'] } | undefined) {
  if (!(error instanceof CaseFailure) || !message?.exchange) return error
  const { at, expected, actual } = error
  return new CaseFailure({ at, expected, actual, exchange: message.exchange })
}
