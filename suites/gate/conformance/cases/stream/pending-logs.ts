import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectObject, expectString, type JsonObject } from '../../matchers/expect-shape.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import { STREAM_MARKS, streamedLogs } from '../../scenes/streamed-logs.ts'
import { expectEnvelope } from '../../seen/expect-envelope.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { LOG_FIELDS } from '../../spec/block-fields.ts'

/** Milliseconds: three refreshes. */
const LATE = 600
/** Begun and ended on one connection, one after the other. */
const ENDED = 40

export const cases = defineCases([
  {
    id: 'ws.pendinglogs.subscribe.01',
    title: 'A subscription named pendingLogs is confirmed with an id',
    area: 'stream',
    rules: ['RPC-WS-01'],
    needs: ['ws'],
    rationale: 'The name is the interface; logs is another subscription.',
    async run(t) {
      const socket = await t.subscribeTo()
      const reply = await socket.call('eth_subscribe', ['pendingLogs'])
      expectThat('result' in reply, 'a result', reply, 'reply to eth_subscribe')
      expectString(reply.result, 'subscription id')
    },
  },
  {
    id: 'ws.pendinglogs.ids.01',
    title: 'Of calls under way on one line each gets what it asked for',
    area: 'stream',
    rules: ['RPC-ENV-09', 'RPC-WS-01'],
    needs: ['ws'],
    rationale: 'A line has many calls under way; the id is all that tells which answer is whose.',
    async run(t) {
      const socket = await t.subscribeTo()
      const [first, failed, second] = await Promise.all([
        socket.call('eth_subscribe', ['pendingLogs']),
        socket.call('eth_noSuchMethod'),
        socket.call('eth_subscribe', ['pendingLogs']),
      ])
      expectThat('error' in failed, 'an error', failed, 'reply to eth_noSuchMethod')
      for (const reply of [first, second]) expectString(reply.result, 'subscription id')
    },
  },
  {
    id: 'ws.pendinglogs.again.01',
    title: 'A line that has ended forty subscriptions is confirmed the next one',
    area: 'stream',
    rules: ['RPC-WS-01'],
    needs: ['ws'],
    rationale: 'A page subscribes for each view and leaves it: what is ended must not count.',
    async run(t) {
      const socket = await t.subscribeTo()
      const subscribe = () => socket.call('eth_subscribe', ['pendingLogs'])
      for (let ended = 0; ended < ENDED; ended++) {
        const { result: id } = await subscribe()
        if (id === undefined && ended === 0) notApplicable('pendingLogs was not confirmed.')
        expectString(id, `id after ${ended} that were ended`)
        const { result } = await socket.call('eth_unsubscribe', [id])
        if (result !== true) notApplicable('The node ends no subscription (OPEN-39).')
      }
      expectString((await subscribe()).result, `id after ${ENDED} that were ended`)
    },
  },
  {
    id: 'ws.pendinglogs.unknown-kind.01',
    title: 'A subscription of an unknown kind is refused',
    area: 'stream',
    rules: ['RPC-WS-01'],
    level: 'should',
    needs: ['ws'],
    rationale: 'A confirmed subscription that never speaks is worse than an error.',
    async run(t) {
      const socket = await t.subscribeTo()
      const reply = await socket.call('eth_subscribe', ['noSuchLogs'])
      expectThat('error' in reply && !('result' in reply), 'an error', reply, 'reply')
    },
  },
  {
    id: 'ws.pendinglogs.before-sealing.01',
    title: 'Logs arrive before their block is sealed, one per message, in order and once',
    area: 'stream',
    rules: ['RPC-WS-02'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'A message at sealing time tells nothing that logs would not.',
    async run(t) {
      const { messages, sent, sealedAt, shownAt } = await t.scene(streamedLogs)
      const hashes = messages.map(({ result }) => expectObject(result, 'log').transactionHash)
      expectEqual(hashes, sent, 'transactionHash of each message')
      for (const { at } of messages) {
        const early = sealedAt - at
        expectThat(early > 0, 'before sealing', `${-early} ms after`, 'arrival')
      }
      // Few as they are, they wait for no others: not all of them, however busy the machine.
      const late = messages.flatMap(({ at }, index) => {
        const shown = shownAt.get(sent[index]!)
        return shown === undefined ? [] : [at - shown]
      })
      if (late.length === 0) return
      const what = `one within ${LATE} ms of eth_getLogs`
      expectThat(Math.min(...late) <= LATE, what, late, 'delay of messages in ms')
    },
  },
  {
    id: 'ws.pendinglogs.same-data.01',
    title: 'The stream has the logs that eth_getLogs gives from pending to pending',
    area: 'stream',
    rules: ['RPC-WS-03'],
    level: 'should',
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'Two views of one block must agree, member by member.',
    async run(t) {
      const { messages, polled, sent, wasPolledInTime } = await t.scene(streamedLogs)
      if (messages.length === sent.length && polled.length === 0 && !wasPolledInTime) {
        cannotJudge('The block was sealed before it could be polled, each time.')
      }
      if (wasPolledInTime || polled.length === 0)
        expectEqual(polled.length, sent.length, 'logs polled')
      const both = new Set(polled.map(({ transactionHash }) => transactionHash))
      const streamed = messages
        .map(({ result }) => expectObject(result, 'log'))
        .filter(({ transactionHash }) => both.has(transactionHash))
      expectEqual(streamed, polled, 'logs streamed')
    },
  },
  {
    id: 'ws.pendinglogs.shape.01',
    title: 'A streamed log has the ten members and what was emitted',
    area: 'stream',
    rules: ['RPC-WS-02', 'RPC-LOG-01'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'The parser of eth_getLogs reads the stream.',
    async run(t) {
      const { messages } = await t.scene(streamedLogs)
      expectEqual(messages.length, STREAM_MARKS.length, 'messages')
      for (const [index, { result }] of messages.entries()) {
        const log = expectObject(result, 'log')
        for (const [name, form] of Object.entries(LOG_FIELDS)) {
          expectForm(log[name], form, `log.${name}`)
        }
        expectEqual(log.topics, [TRANSFER, STREAM_MARKS[index]], 'log.topics')
      }
    },
  },
  {
    id: 'ws.pendinglogs.filter.01',
    title: 'A filter by topic keeps other logs away',
    area: 'stream',
    rules: ['RPC-WS-02'],
    level: 'should',
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'Options are those of eth_getLogs without the blocks (OPEN-38).',
    async run(t) {
      const { subscribed, unfit } = await t.scene(streamedLogs)
      expectSubscribed(subscribed)
      expectEqual(unfit, [], 'messages that do not fit')
    },
  },
  {
    id: 'ws.pendinglogs.unsubscribe.01',
    title: 'eth_unsubscribe ends the subscription with true',
    area: 'stream',
    rules: ['RPC-WS-01'],
    level: 'should',
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'As for every other subscription (OPEN-39).',
    async run(t) {
      const { subscribed, unsubscribed } = await t.scene(streamedLogs)
      expectSubscribed(subscribed)
      expectEqual(unsubscribed.result, true, 'reply to eth_unsubscribe')
    },
  },
  {
    id: 'ws.pendinglogs.envelope.01',
    title:
      'Every answer on a WebSocket has version and id of its call, and either a result or an error of code and message',
    area: 'stream',
    rules: ['RPC-ENV-08', 'RPC-ENV-09', 'RPC-ENV-10', 'RPC-ENV-11'],
    needs: ['ws'],
    judgesAll: true,
    rationale: 'It is the same JSON-RPC on another line.',
    async run(t) {
      await (await t.subscribeTo()).call('eth_subscribe', ['pendingLogs'])
      await judgeEach(t.seenStream.envelopes, 'answers', expectEnvelope)
    },
  },
  {
    id: 'ws.pendinglogs.notification.01',
    title:
      'Every message of a subscription is a JSON-RPC 2.0 notification: with its version, and no id',
    area: 'stream',
    rules: ['RPC-WS-02'],
    level: 'should',
    needs: ['ws', 'rpc', 'driver'],
    judgesAll: true,
    rationale: 'JSON-RPC 2.0, section 4; the shape of what is pushed is open (OPEN-38).',
    async run(t) {
      await t.scene(streamedLogs)
      await judgeEach(t.seenStream.notifications, 'messages', ({ message }) => {
        expectEqual(message.jsonrpc, '2.0', 'message.jsonrpc')
        expectEqual('id' in message, false, 'message has an id')
      })
    },
  },
])

/** A refused subscription sends nothing wrong either; that it is refused, RPC-WS-01 says. */
function expectSubscribed(reply: JsonObject): void {
  if (!('result' in reply)) notApplicable('pendingLogs was not confirmed.')
}
