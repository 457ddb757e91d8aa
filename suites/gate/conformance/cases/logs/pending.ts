import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectKeys, type JsonObject } from '../../matchers/expect-shape.ts'
import { getLogs, toLogs } from '../../reads/get-logs.ts'
import { MARK, preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { sealedHistory, TRANSFER } from '../../scenes/sealed-history.ts'
import { LOG_FIELDS } from '../../spec/block-fields.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

type LogRead =
  | 'logsPending'
  | 'logsFromPending'
  | 'logsFromPendingToLatest'
  | 'logsIntoPending'
  | 'logsIntoPendingByTopic'
  | 'logsDefaultEnd'
  | 'logsPendingByTopic'
  | 'logsPendingOther'

async function read(t: CaseContext, name: LogRead) {
  const window = await t.scene(preconfirmedWindow)
  const logs = toLogs(resultOf(window.reads[name], 'eth_getLogs'))
  const ours = logs.filter((log) => log.transactionHash === window.sent.log)
  return { ...window, logs, ours }
}

export const cases = defineCases([
  {
    id: 'rpc.getlogs.pending-both.01',
    title: 'pending to pending gives the log of a pre-confirmed transaction before it is sealed',
    area: 'logs',
    rules: ['RPC-GETLOGS-02', 'RPC-FLT-04', 'RPC-SEL-03'],
    needs: ['rpc', 'driver'],
    rationale: 'This is how a poller follows pre-confirmations.',
    async run(t) {
      const log = onlyLog((await read(t, 'logsPending')).ours)
      expectEqual(log.topics, [TRANSFER, MARK], 'log.topics')
      expectEqual(log.data, MARK, 'log.data')
    },
  },
  {
    id: 'rpc.getlogs.pending-shape.01',
    title: 'A pre-confirmed log has the ten members and is not removed',
    area: 'logs',
    rules: ['RPC-LOG-01', 'RPC-LOG-12'],
    needs: ['rpc', 'driver'],
    rationale: 'Typed clients read one shape, sealed or not.',
    async run(t) {
      const log = onlyLog((await read(t, 'logsPending')).ours)
      expectKeys(log, Object.keys(LOG_FIELDS), 'log')
      expectEqual(log.removed, false, 'log.removed')
    },
  },
  {
    id: 'rpc.getlogs.pending-place.01',
    title: 'A pre-confirmed log has a zero blockHash and the coming height and index',
    area: 'logs',
    rules: ['RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-09', 'RPC-LOG-10', 'RPC-LOG-11'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-09: the place is known before the hash is.',
    async run(t) {
      const { ours, sealed } = await read(t, 'logsPending')
      const log = onlyLog(ours)
      for (const [name, form] of Object.entries(LOG_FIELDS)) {
        expectForm(log[name], form, `log.${name}`)
      }
      expectEqual(log.blockHash, `0x${'00'.repeat(32)}`, 'log.blockHash')
      expectEqual(expectQuantity(log.blockNumber, 'log'), sealed.log.blockNumber, 'log.blockNumber')
      expectEqual(Number(log.transactionIndex), sealed.log.index, 'log.transactionIndex')
    },
  },
  {
    id: 'rpc.getlogs.pending-only.01',
    title: 'pending to pending leaves out logs of sealed blocks',
    area: 'logs',
    rules: ['RPC-GETLOGS-03'],
    needs: ['rpc', 'driver'],
    rationale: 'The same contract has a log in the newest sealed block; it may not be mixed in.',
    async run(t) {
      await t.scene(sealedHistory)
      const { probes, logs, earlier } = await read(t, 'logsPending')
      const hashes = logs.map((log) => log.transactionHash)
      const without = `no log of ${earlier}, which is sealed`
      expectThat(!hashes.includes(earlier), without, hashes, 'transactionHash of each log')
      const now = await getLogs(t.rpc, {
        fromBlock: 'pending',
        toBlock: 'pending',
        address: probes.logB,
      })
      expectEqual(now, [], 'pending logs of a contract that is quiet now')
    },
  },
  {
    id: 'rpc.getlogs.pending-from-alone.01',
    title: 'fromBlock pending alone brings pre-confirmed logs into the answer',
    area: 'logs',
    rules: ['RPC-FLT-04'],
    level: 'should',
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-15: deployed nodes look at toBlock, which then is latest.',
    async run(t) {
      expectEqual((await read(t, 'logsFromPending')).ours.length, 1, 'logs')
    },
  },
  {
    id: 'rpc.getlogs.pending-to-default.01',
    title: 'fromBlock pending with toBlock latest written out answers as without toBlock',
    area: 'logs',
    rules: ['RPC-FLT-06'],
    needs: ['rpc', 'driver'],
    rationale: 'latest is what toBlock is by default; a default written out changes nothing.',
    async run(t) {
      const { ours } = await read(t, 'logsFromPending')
      expectEqual((await read(t, 'logsFromPendingToLatest')).ours, ours, 'logs')
    },
  },
  {
    id: 'rpc.getlogs.pending-to.01',
    title: 'A sealed bound to pending gives the sealed logs, each once',
    area: 'logs',
    rules: ['RPC-FLT-05'],
    needs: ['rpc', 'driver'],
    rationale: 'Whatever pending adds (OPEN-15), the sealed part of the range is history.',
    async run(t) {
      const { logs, earlier } = await read(t, 'logsIntoPending')
      const sealed = logs.filter((log) => log.transactionHash === earlier)
      expectEqual(sealed.length, 1, 'logs of the sealed transaction')
    },
  },
  {
    id: 'rpc.getlogs.pending-to-topic.01',
    title: 'From a sealed bound to pending, a topic keeps other logs away',
    area: 'logs',
    rules: ['RPC-FLT-10', 'RPC-FLT-12'],
    needs: ['rpc', 'driver'],
    rationale: 'The sealed log of the same contract has another second topic.',
    async run(t) {
      const { logs } = await read(t, 'logsIntoPendingByTopic')
      const others = logs.map(({ topics }) => expectArray(topics, 'topics')[1])
      expectEqual([...new Set([...others, MARK])], [MARK], 'second topics of the logs')
    },
  },
  {
    id: 'rpc.getlogs.pending-to-both.01',
    title: 'A sealed bound to pending gives pre-confirmed logs after the sealed ones, each once',
    area: 'logs',
    rules: ['RPC-FLT-05', 'RPC-GETLOGS-02'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-15: one query covers history and the block being built.',
    async run(t) {
      const { ours, logs, earlier, sent } = await read(t, 'logsIntoPending')
      onlyLog(ours)
      const hashes = logs.map((log) => log.transactionHash)
      const own = hashes.filter((hash) => hash === earlier || hash === sent.log)
      expectEqual(own, [earlier, sent.log], 'transactionHash, sealed log first')
      const places = logs.map((log) => `${log.blockNumber}/${log.logIndex}`)
      expectEqual(new Set(places).size, places.length, 'different places')
    },
  },
  {
    id: 'rpc.getlogs.default-end-not-pending.01',
    title: 'Without toBlock no pre-confirmed log is found',
    area: 'logs',
    rules: ['RPC-FLT-06'],
    needs: ['rpc', 'driver'],
    rationale: 'latest is the default end; an indexer must not store what is not sealed.',
    async run(t) {
      expectEqual((await read(t, 'logsDefaultEnd')).ours, [], 'pre-confirmed logs')
    },
  },
  {
    id: 'rpc.getlogs.pending-filters.01',
    title: 'Topic filters hold for pre-confirmed logs as well',
    area: 'logs',
    rules: ['RPC-FLT-10', 'RPC-FLT-11'],
    needs: ['rpc', 'driver'],
    rationale: 'One filter fits the log, the other does not.',
    async run(t) {
      expectEqual((await read(t, 'logsPendingByTopic')).ours.length, 1, 'logs that fit')
      expectEqual((await read(t, 'logsPendingOther')).logs, [], 'logs that do not fit')
    },
  },
])

/** The one log of the pre-confirmed transaction. @throws CaseFailure */
function onlyLog(ours: readonly JsonObject[]): JsonObject {
  expectEqual(ours.length, 1, 'logs of the pre-confirmed transaction')
  return ours[0]!
}
