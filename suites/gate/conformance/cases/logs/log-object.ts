import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectArray, expectExactKeys, type JsonObject } from '../../matchers/expect-shape.ts'
import { getBlock } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { type ExpectedLog, type SealedHistory, sealedHistory } from '../../scenes/sealed-history.ts'
import { logFields } from '../../spec/block-fields.ts'

/** The logs we caused, each with what the target says of it. */
async function pairs(
  t: CaseContext,
): Promise<{ history: SealedHistory; pairs: { wanted: ExpectedLog; log: JsonObject }[] }> {
  const history = await t.scene(sealedHistory)
  const { probes, first, third } = history
  const logs = await getLogs(t.rpc, {
    fromBlock: `0x${first[0]!.blockNumber.toString(16)}`,
    toBlock: `0x${third.blockNumber.toString(16)}`,
    address: [probes.logA, probes.logB, probes.logC],
  })
  expectEqual(logs.length, history.logs.length, 'number of logs')
  return { history, pairs: history.logs.map((wanted, index) => ({ wanted, log: logs[index]! })) }
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`

export const cases = defineCases([
  {
    id: 'rpc.log.members.01',
    title: 'A log has the ten documented members in their forms',
    area: 'logs',
    rules: ['RPC-LOG-01'],
    needs: ['rpc', 'driver'],
    rationale: 'blockTimestamp is one more than the standard schema; clients here rely on it.',
    async run(t) {
      for (const { log } of (await pairs(t)).pairs) {
        expectExactKeys(log, Object.keys(logFields(t.profile)), 'log')
        for (const [name, form] of Object.entries(logFields(t.profile))) {
          expectForm(log[name], form, `log.${name}`)
        }
      }
    },
  },
  {
    id: 'rpc.log.members.02',
    title: 'A log that is asked for by the hash of its block is the log of its height',
    area: 'logs',
    rules: ['RPC-LOG-01', 'RPC-LOG-07', 'RPC-FLT-16'],
    needs: ['rpc', 'driver'],
    rationale:
      'By hash another index is read, whose logs may want for what was added to the others.',
    async run(t) {
      const { blockHash, blockNumber } = (await t.scene(sealedHistory)).first[0]!
      const height = hex(blockNumber)
      const byHeight = await getLogs(t.rpc, { fromBlock: height, toBlock: height })
      expectEqual(await getLogs(t.rpc, { blockHash }), byHeight, 'logs by hash')
    },
  },
  {
    id: 'rpc.log.address.01',
    title: 'address is the contract that emitted, also when another called it',
    area: 'logs',
    rules: ['RPC-LOG-02'],
    needs: ['rpc', 'driver'],
    rationale: 'One transaction goes through a forwarder: its to is not the emitter.',
    async run(t) {
      for (const { wanted, log } of (await pairs(t)).pairs) {
        expectEqual(String(log.address).toLowerCase(), wanted.address, 'log.address')
      }
    },
  },
  {
    id: 'rpc.log.topics.01',
    title: 'topics are the emitted ones in order, [] for none and at most four',
    area: 'logs',
    rules: ['RPC-LOG-03', 'RPC-LOG-04'],
    needs: ['rpc', 'driver'],
    rationale: 'LOG0 to LOG4 were emitted; the first topic is the signature hash.',
    async run(t) {
      const { pairs: all } = await pairs(t)
      for (const { wanted, log } of all) expectEqual(log.topics, wanted.topics, 'log.topics')
      const counts = new Set(all.map(({ log }) => expectArray(log.topics, 'log.topics').length))
      expectEqual([...counts].sort(), [0, 1, 2, 3, 4], 'topic counts')
    },
  },
  {
    id: 'rpc.log.data.01',
    title: 'data is what was emitted beside the topics, 0x for nothing',
    area: 'logs',
    rules: ['RPC-LOG-05'],
    needs: ['rpc', 'driver'],
    rationale: 'Indexed arguments are not repeated in data, and empty data is not null.',
    async run(t) {
      for (const { wanted, log } of (await pairs(t)).pairs) {
        expectEqual(log.data, wanted.data, 'log.data')
      }
    },
  },
  {
    id: 'rpc.log.block.01',
    title: 'blockNumber, blockHash and blockTimestamp are those of the emitting block',
    area: 'logs',
    rules: ['RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-10'],
    needs: ['rpc', 'driver'],
    rationale: 'Three blocks with logs: the tip, the parent or the time of asking would show.',
    async run(t) {
      for (const { wanted, log } of (await pairs(t)).pairs) {
        const { blockNumber, blockHash } = wanted.transaction
        expectEqual(log.blockNumber, hex(blockNumber), 'log.blockNumber')
        expectEqual(log.blockHash, blockHash, 'log.blockHash')
        const { timestamp } = await getBlock(t.rpc, blockNumber)
        expectEqual(log.blockTimestamp, timestamp, 'log.blockTimestamp')
      }
    },
  },
  {
    id: 'rpc.log.transaction.01',
    title: 'transactionHash and transactionIndex name the emitting transaction',
    area: 'logs',
    rules: ['RPC-LOG-08', 'RPC-LOG-09'],
    needs: ['rpc', 'driver'],
    rationale: 'Three logging transactions share a block; each log names its own.',
    async run(t) {
      for (const { wanted, log } of (await pairs(t)).pairs) {
        const { hash, index, blockNumber } = wanted.transaction
        expectEqual(log.transactionHash, hash, 'log.transactionHash')
        expectEqual(log.transactionIndex, hex(index), 'log.transactionIndex')
        const { transactions } = await getBlock(t.rpc, blockNumber)
        expectEqual(expectArray(transactions, 'transactions')[index], hash, 'block.transactions')
      }
    },
  },
  {
    id: 'rpc.log.index.01',
    title: 'logIndex counts over the whole block',
    area: 'logs',
    rules: ['RPC-LOG-11'],
    needs: ['rpc', 'driver'],
    rationale: 'A counter that restarts per transaction gives two logs the same place.',
    async run(t) {
      const { first } = await t.scene(sealedHistory)
      const logs = await getLogs(t.rpc, { blockHash: first[0]!.blockHash })
      expectEqual(
        logs.map((log) => log.logIndex),
        logs.map((_, index) => hex(index)),
        'log.logIndex',
      )
      expectThat(logs.length >= 6, 'the six logs of three transactions', logs.length, 'logs')
    },
  },
  {
    id: 'rpc.log.removed.01',
    title: 'removed is the boolean false for a canonical log',
    area: 'logs',
    rules: ['RPC-LOG-12'],
    needs: ['rpc', 'driver'],
    rationale: 'Indexers delete what is removed; absent or "false" is not false.',
    async run(t) {
      for (const { log } of (await pairs(t)).pairs) {
        expectEqual(log.removed, false, 'log.removed')
      }
    },
  },
])
