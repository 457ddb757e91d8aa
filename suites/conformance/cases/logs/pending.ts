import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { getLogs, toLogs } from '../../reads/get-logs.ts'
import { MARK, preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { sealedHistory, TRANSFER } from '../../scenes/sealed-history.ts'
import { LOG_FIELDS } from '../../spec/block-fields.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

type LogRead =
  | 'logsPending'
  | 'logsFromPending'
  | 'logsIntoPending'
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
      const { ours } = await read(t, 'logsPending')
      expectEqual(ours.length, 1, 'logs of the pre-confirmed transaction')
      expectEqual(ours[0]?.topics, [TRANSFER, MARK], 'log.topics')
      expectEqual(ours[0]?.data, MARK, 'log.data')
    },
  },
  {
    id: 'rpc.getlogs.pending-shape.01',
    title: 'A pre-confirmed log has the ten members, a zero blockHash and the coming height',
    area: 'logs',
    rules: ['RPC-LOG-01', 'RPC-LOG-12'],
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-09: typed clients read one shape, and no hash exists yet.',
    async run(t) {
      const { ours, sealed } = await read(t, 'logsPending')
      for (const [name, form] of Object.entries(LOG_FIELDS)) {
        expectForm(ours[0]?.[name], form, `log.${name}`)
      }
      expectEqual(ours[0]?.blockHash, `0x${'00'.repeat(32)}`, 'log.blockHash')
      const height = `0x${sealed.log.blockNumber.toString(16)}`
      expectEqual(ours[0]?.blockNumber, height, 'log.blockNumber')
      expectEqual(Number(ours[0]?.transactionIndex), sealed.log.index, 'log.transactionIndex')
      expectEqual(ours[0]?.removed, false, 'log.removed')
    },
  },
  {
    id: 'rpc.getlogs.pending-only.01',
    title: 'pending to pending leaves out logs of sealed blocks',
    area: 'logs',
    rules: ['RPC-GETLOGS-03'],
    needs: ['rpc', 'driver'],
    rationale: 'The same contract has logs in sealed blocks; none may be mixed in.',
    async run(t) {
      await t.scene(sealedHistory)
      const { probes, logs } = await read(t, 'logsPending')
      const zero = `0x${'00'.repeat(32)}`
      expectThat(
        logs.every((log) => log.blockHash === zero || log.blockHash === null),
        'pre-confirmed logs only',
        logs.map((log) => log.blockHash),
        'log.blockHash',
      )
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
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'The spec says so of fromBlock; deployed nodes look at toBlock only.',
    async run(t) {
      expectEqual((await read(t, 'logsFromPending')).ours.length, 1, 'logs')
    },
  },
  {
    id: 'rpc.getlogs.pending-to.01',
    title: 'A sealed bound to pending gives sealed logs and then pre-confirmed ones, each once',
    area: 'logs',
    rules: ['RPC-FLT-05', 'RPC-GETLOGS-02'],
    needs: ['rpc', 'driver'],
    rationale: 'One query covers history and the block being built (OPEN-15).',
    async run(t) {
      const { ours, logs, earlier, sent } = await read(t, 'logsIntoPending')
      expectEqual(ours.length, 1, 'logs of the pre-confirmed transaction')
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
