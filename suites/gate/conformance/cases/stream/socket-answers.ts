import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectObject, expectString, type JsonObject } from '../../matchers/expect-shape.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { logsHeard } from '../../scenes/logs-heard.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import { expectEnvelope } from '../../seen/expect-envelope.ts'
import type { SubscriptionClient } from '../../wire/subscription-client.ts'

const CALL = { jsonrpc: '2.0', method: 'eth_chainId', params: [] }
/** Of a block that is not there yet. */
const BEYOND = [`0x${(2n ** 40n).toString(16)}`, false]

export const cases = defineCases([
  {
    id: 'ws.envelope.id-number.01',
    title: 'On a WebSocket a call with id 0, or with a large one, is answered with that id',
    area: 'stream',
    rules: ['RPC-ENV-07', 'RPC-ENV-09'],
    needs: ['ws'],
    rationale: 'Many clients count from 0; who takes it for no id never answers the first call.',
    async run(t) {
      for (const id of [0, 4294967296, Number.MAX_SAFE_INTEGER]) {
        const response = await answerOf(t, { ...CALL, id })
        expectEnvelope({ id, response })
        expectEqual(response.id, id, 'id')
      }
    },
  },
  {
    id: 'ws.envelope.id-string.01',
    title: 'On a WebSocket a string id comes back as that string, be it a number in letters',
    area: 'stream',
    rules: ['RPC-ENV-09'],
    level: 'should',
    needs: ['ws'],
    rationale: 'JSON-RPC 2.0 allows strings; the spec says number only (OPEN-01).',
    async run(t) {
      for (const id of ['seven', '7'])
        expectEqual((await answerOf(t, { ...CALL, id })).id, id, 'id')
    },
  },
  {
    id: 'ws.envelope.version-required.01',
    title: 'On a WebSocket a call without jsonrpc, or with another text than "2.0", gets no result',
    area: 'stream',
    rules: ['RPC-ENV-04'],
    needs: ['ws'],
    rationale: 'It is the same JSON-RPC on another line.',
    async run(t) {
      const { jsonrpc: _, ...without } = { ...CALL, id: 2 }
      for (const call of [without, { ...without, jsonrpc: '1.0' }]) {
        // One that closes the line gives no result either.
        const answer = await (await t.subscribeTo()).post(JSON.stringify(call)).catch(() => ({}))
        expectThat(!('result' in Object(answer)), 'no result', answer, 'reply')
      }
      const right = await answerOf(t, { ...CALL, id: 3 })
      expectThat('result' in right, 'a result', right, 'reply to "2.0"')
    },
  },
  {
    id: 'ws.envelope.in-frames.01',
    title: 'On a WebSocket a call that comes in two frames is one call',
    area: 'stream',
    rules: ['RPC-WS-01', 'RPC-ENV-09'],
    needs: ['ws'],
    rationale: 'Any client or proxy may cut a message anywhere (RFC 6455, 5.4).',
    async run(t) {
      const text = JSON.stringify({ ...CALL, id: 'in two frames' })
      for (const cutAt of [1, text.length >> 1, text.length - 1]) {
        const answer = expectObject(await (await t.subscribeTo()).post(text, cutAt), 'response')
        expectEqual(answer.id, 'in two frames', `id of a call that was cut at ${cutAt}`)
        expectThat('result' in answer, 'a result', answer, 'response')
      }
    },
  },
  {
    id: 'ws.envelope.ping.01',
    title: 'A ping on a WebSocket is answered by a pong with the same bytes',
    area: 'stream',
    rules: ['RPC-WS-01', 'RPC-WS-02'],
    needs: ['ws'],
    rationale:
      'Clients that keep a line alive close it where the bytes are others (RFC 6455, 5.5.3).',
    async run(t) {
      const socket = await t.subscribeTo()
      for (const payload of ['rollbed', '', 'p'.repeat(125)])
        expectEqual(await socket.ping(payload), payload, 'what the pong carries')
    },
  },
  {
    id: 'ws.envelope.null-result.01',
    title: 'On a WebSocket a result of null is a member of the response',
    area: 'stream',
    rules: ['RPC-ENV-10'],
    needs: ['ws'],
    rationale: 'Each line may write its answers by code of its own.',
    async run(t) {
      const answer = await (await t.subscribeTo()).call('eth_getBlockByNumber', BEYOND)
      if ('error' in answer) notApplicable('The WebSocket has no eth_getBlockByNumber.')
      expectThat('result' in answer, 'a result member', answer, 'response')
      expectEqual(answer.result, null, 'result')
    },
  },
  {
    id: 'ws.envelope.batch.01',
    title: 'On a WebSocket a batch that is answered by a list is answered whole',
    area: 'stream',
    rules: ['RPC-ENV-09'],
    needs: ['ws'],
    rationale: 'Who waits for the second answer of a batch has no other sign that there is none.',
    async run(t) {
      const calls = [1, 2, 3].map((id) => ({ ...CALL, id }))
      const answers = await (await t.subscribeTo()).post(JSON.stringify(calls))
      if (!Array.isArray(answers)) notApplicable('The node answers no such batch (OPEN-01).')
      expectEqual(answers.map((each) => each?.id).sort(), [1, 2, 3], 'ids')
    },
  },
  {
    id: 'ws.envelope.revert.01',
    title: 'On a WebSocket a revert is error -32000 "execution reverted" with the revert bytes',
    area: 'stream',
    rules: ['ERR-01', 'ERR-02', 'ERR-03'],
    profiles: ['spec'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'A client that calls by its WebSocket decodes the same error.',
    async run(t) {
      if (t.driver.onlyReads) notApplicable('There is no contract that reverts.')
      const { revert } = await t.scene(probeContracts)
      const data = anyBytes(100)
      const socket = await t.subscribeTo()
      const { error } = await socket.call('eth_call', [{ to: revert, data }, 'latest'])
      const { code, message, data: carried } = expectObject(error, 'response.error')
      if (code === -32601) notApplicable('The WebSocket has no eth_call.')
      expectEqual([code, carried], [-32000, data], 'error.code and error.data')
      const begins = String(message).startsWith('execution reverted')
      expectThat(begins, 'execution reverted, at its beginning', message, 'error.message')
    },
  },
  {
    id: 'ws.pendinglogs.subscribe.02',
    title: 'A filter without members is as good as none',
    area: 'stream',
    rules: ['RPC-WS-01'],
    level: 'should',
    needs: ['ws'],
    rationale:
      'Both of its members may be left out (OPEN-38); libraries send the object all the same.',
    async run(t) {
      const answer = await (await t.subscribeTo()).call('eth_subscribe', ['pendingLogs', {}])
      expectString(answer.result, 'subscription id')
    },
  },
  {
    id: 'ws.pendinglogs.after-nonsense.01',
    title: 'A line that stays open when it was sent what is no JSON is told of logs still',
    area: 'stream',
    rules: ['RPC-WS-02'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'A subscription that is silent on an open line is not noticed by its client.',
    async run(t) {
      const { socket, beside } = await twoLines(t)
      socket.post('{"jsonrpc":"2.0","id":1,').catch(() => {})
      await expectHeard(t, socket, beside)
    },
  },
  {
    id: 'ws.pendinglogs.foreign-id.01',
    title: 'Nobody ends a subscription by its id on a line of his own',
    area: 'stream',
    rules: ['RPC-WS-02'],
    level: 'should',
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'Some ids are counted, and any client can guess those of others.',
    async run(t) {
      const { socket, beside, id, idBeside } = await twoLines(t)
      if (id === idBeside) notApplicable('Each line counts its own ids.')
      await beside.call('eth_unsubscribe', [id])
      await expectHeard(t, socket, beside)
    },
  },
])

/** Two lines that listen to one contract. */
async function twoLines(t: CaseContext) {
  const { logOther: address } = await t.scene(probeContracts)
  const listen = async () => {
    const socket = await t.subscribeTo()
    const { result } = await socket.call('eth_subscribe', ['pendingLogs', { address }])
    if (result === undefined) notApplicable('pendingLogs was not confirmed.')
    return { socket, id: result }
  }
  const [{ socket, id }, { socket: beside, id: idBeside }] = [await listen(), await listen()]
  return { socket, id, beside, idBeside }
}

/** A line that is open is told of a log, as the one beside it is. @throws CaseFailure @throws CaseSetAside */
async function expectHeard(
  t: CaseContext,
  socket: SubscriptionClient,
  beside: SubscriptionClient,
): Promise<void> {
  const heard = await logsHeard(t, socket, [{ topics: [TRANSFER], data: '0x' }], { beside })
  const isOpen = () => true
  await socket.until(isOpen).catch(() => notApplicable('The line is closed.'))
  expectEqual(heard.length > 0, true, 'the log was told')
}

/** The answer to one call, whatever its id. */
async function answerOf(t: CaseContext, call: JsonObject): Promise<JsonObject> {
  return expectObject(await (await t.subscribeTo()).post(JSON.stringify(call)), 'response')
}
