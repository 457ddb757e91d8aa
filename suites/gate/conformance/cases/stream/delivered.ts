import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import type { LogEntry } from '../../probes/contracts.ts'
import { logsHeard } from '../../scenes/logs-heard.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { OTHER, TRANSFER } from '../../scenes/sealed-history.ts'
import type { Notification, SubscriptionClient } from '../../wire/subscription-client.ts'

/** Of one connection: more than eight, at which some stop. */
const SUBSCRIPTIONS = 12
/** Its message has more bytes than 16 bits count. */
const LONG_DATA = `0x${'00'.repeat(39_999)}01` as const

/** Four for each zero byte of calldata, ten since Prague, eight for each of the log, and what memory takes. */
const LONG_GAS = 2_000_000n

export const cases = defineCases([
  {
    id: 'ws.pendinglogs.many.01',
    title: 'Each of twelve subscriptions of one line that is confirmed is sent a log',
    area: 'stream',
    rules: ['RPC-WS-02'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'A subscription beyond a limit is refused; confirmed and silent, it is a trap.',
    async run(t) {
      const { logOther: address } = await t.scene(probeContracts)
      const socket = await t.subscribeTo()
      const ids: unknown[] = []
      while (ids.length < SUBSCRIPTIONS) {
        const { result } = await socket.call('eth_subscribe', ['pendingLogs', { address }])
        if (result === undefined) break
        ids.push(result)
      }
      if (ids.length === 0) notApplicable('pendingLogs was not confirmed.')
      const heard = await heardOf(t, socket, [{ topics: [TRANSFER], data: '0x' }])
      const silent = ids.filter((id) => !heard.some(({ subscription }) => subscription === id))
      expectEqual(silent, [], `subscriptions without the log, of ${ids.length}`)
    },
  },
  {
    id: 'ws.pendinglogs.long.01',
    title: 'A log with 40,000 bytes of data is sent whole',
    area: 'stream',
    rules: ['RPC-WS-02', 'RPC-LOG-05'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'From 65,536 bytes on a frame of a WebSocket has its length in 64 bits.',
    async run(t) {
      if (t.driver.lacksMoney) notApplicable('So much gas is more than its sender has.')
      const { logOther: address } = await t.scene(probeContracts)
      const socket = await t.subscribeTo()
      const { result } = await socket.call('eth_subscribe', ['pendingLogs', { address }])
      if (result === undefined) notApplicable('pendingLogs was not confirmed.')
      const heard = await heardOf(t, socket, [{ topics: [TRANSFER], data: LONG_DATA }], {
        gas: LONG_GAS,
      })
      expectEqual(
        heard.map(logOf).map(({ data }) => data),
        [LONG_DATA],
        'data of the logs',
      )
    },
  },
  {
    id: 'ws.pendinglogs.batch.01',
    title:
      'Of two subscriptions that are made in one batch each is sent the logs of its own filter',
    area: 'stream',
    rules: ['RPC-WS-01', 'RPC-WS-02'],
    needs: ['ws', 'rpc', 'driver'],
    rationale: 'Libraries gather calls into batches; a log that goes to the other one is lost.',
    async run(t) {
      const { logOther: address } = await t.scene(probeContracts)
      const socket = await t.subscribeTo()
      const filters = [TRANSFER, OTHER].map((topic) => ({ address, topics: [topic] }))
      const calls = filters.map((filter, index) => ({
        ...{ jsonrpc: '2.0', method: 'eth_subscribe' },
        id: `filter ${index}`,
        params: ['pendingLogs', filter],
      }))
      const answers: unknown = await socket.post(JSON.stringify(calls))
      if (!Array.isArray(answers)) notApplicable('The node answers no such batch (OPEN-01).')
      const ids = calls.map(({ id }) => answers.find((each) => Object(each).id === id)?.result)
      if (ids.includes(undefined)) notApplicable('pendingLogs with a filter was not confirmed.')
      const entries = [TRANSFER, OTHER].map((topic): LogEntry => ({ topics: [topic], data: '0x' }))
      const heard = await heardOf(t, socket, entries)
      const topics = ids.map((id) =>
        heard
          .filter(({ subscription }) => subscription === id)
          .map((one) => (logOf(one).topics as unknown[])[0]),
      )
      expectEqual(topics, [[TRANSFER], [OTHER]], 'first topics, by subscription')
    },
  },
])

/** What a line is told of these logs, by what another one is told that listens to all. */
async function heardOf(
  t: CaseContext,
  socket: SubscriptionClient,
  entries: readonly LogEntry[],
  more: { gas?: bigint } = {},
): Promise<Notification[]> {
  const { logOther: address } = await t.scene(probeContracts)
  const beside = await t.subscribeTo()
  await beside.call('eth_subscribe', ['pendingLogs', { address }])
  return logsHeard(t, socket, entries, { beside, ...more })
}

const logOf = ({ result }: Notification): JsonObject => Object(result)
