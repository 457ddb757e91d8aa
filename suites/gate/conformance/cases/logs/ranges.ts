import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { getTip } from '../../reads/get-block.ts'
import { getLogs, toLogs } from '../../reads/get-logs.ts'
import { sealedHistory } from '../../scenes/sealed-history.ts'

const UNUSED = `0x${'d1'.repeat(20)}`
const TAGS = ['0x0', 'earliest', 'safe', 'finalized', 'latest', 'pending']

export const cases = defineCases([
  ...TAGS.map(
    (tag, index): ConformanceCase => ({
      id: `rpc.getlogs.from-accepts.0${index + 1}`,
      title: `fromBlock may be ${tag}`,
      area: 'logs',
      rules: ['RPC-FLT-02'],
      needs: ['rpc'],
      rationale: 'A number or any tag, as in every method.',
      async run({ rpc }) {
        const toBlock = tag === 'pending' ? 'pending' : 'latest'
        expectEqual(await getLogs(rpc, { fromBlock: tag, toBlock, address: UNUSED }), [], 'result')
      },
    }),
  ),
  ...TAGS.map(
    (tag, index): ConformanceCase => ({
      id: `rpc.getlogs.to-accepts.0${index + 1}`,
      title: `toBlock may be ${tag}`,
      area: 'logs',
      rules: ['RPC-FLT-05'],
      needs: ['rpc'],
      rationale: 'A number or any tag, as in every method.',
      async run({ rpc }) {
        const filter = { fromBlock: 'earliest', toBlock: tag, address: UNUSED }
        expectEqual(await getLogs(rpc, filter), [], 'result')
      },
    }),
  ),
  {
    id: 'rpc.getlogs.to-alone.01',
    title: 'toBlock may be pending where there is no fromBlock',
    area: 'logs',
    rules: ['RPC-FLT-05', 'RPC-FLT-03'],
    needs: ['rpc'],
    rationale: 'It begins at latest then, and from there to pending nothing runs backwards.',
    async run({ rpc }) {
      expectEqual(await getLogs(rpc, { toBlock: 'pending', address: UNUSED }), [], 'result')
    },
  },
  {
    id: 'rpc.getlogs.nothing.01',
    title: 'No match gives an empty array',
    area: 'logs',
    rules: ['RPC-GETLOGS-01'],
    needs: ['rpc'],
    rationale: 'null is not a list; clients iterate.',
    async run({ rpc }) {
      expectEqual(await getLogs(rpc, { fromBlock: 'latest', address: UNUSED }), [], 'result')
    },
  },
  {
    id: 'rpc.getlogs.no-filter.01',
    title: 'No filter object is an error',
    area: 'logs',
    rules: ['RPC-FLT-01'],
    needs: ['rpc'],
    rationale: 'A missing filter read as an empty one answers a question nobody asked.',
    async run({ rpc }) {
      expectError(await rpc.call('eth_getLogs', []), 'reply to no params')
      expectError(await rpc.call('eth_getLogs', [null]), 'reply to null')
      expectError(await rpc.call('eth_getLogs', ['latest']), 'reply to a string')
    },
  },
  {
    id: 'rpc.getlogs.default-start.01',
    title: 'Without fromBlock the search starts at latest',
    area: 'logs',
    rules: ['RPC-FLT-03'],
    needs: ['rpc', 'driver'],
    rationale: 'Older blocks hold logs of that contract; they must not be found.',
    async run(t) {
      const { probes, first, second, third } = await t.scene(sealedHistory)
      await t.driver.blockStart()
      const expectNone = (logs: readonly JsonObject[]) => {
        for (const log of logs) {
          const height = expectQuantity(log.blockNumber, 'blockNumber')
          const at = 'blockNumber'
          expectThat(height > third.blockNumber, `above ${third.blockNumber}`, height, at)
        }
      }
      expectNone(await getLogs(t.rpc, { toBlock: 'latest', address: probes.logA }))
      // A range that ends before latest is backwards then: what is said to it is open.
      for (const { blockNumber } of [first[0]!, second, third]) {
        const filter = { toBlock: `0x${blockNumber.toString(16)}`, address: probes.logA }
        const { body } = await t.rpc.call('eth_getLogs', [filter])
        if (!('error' in body)) expectNone(toLogs(body.result))
      }
    },
  },
  {
    id: 'rpc.getlogs.no-address.01',
    title: 'Without address, logs of all emitters are found',
    area: 'logs',
    rules: ['RPC-FLT-09'],
    needs: ['rpc', 'driver'],
    rationale: 'One block holds logs of three contracts.',
    async run(t) {
      const { first, probes } = await t.scene(sealedHistory)
      const height = `0x${first[0]!.blockNumber.toString(16)}`
      const logs = await getLogs(t.rpc, { fromBlock: height, toBlock: height })
      const emitters = new Set(logs.map((log) => String(log.address).toLowerCase()))
      for (const address of [probes.logA, probes.logB, probes.logC]) {
        expectThat(emitters.has(address), `${address} among them`, [...emitters], 'emitters')
      }
    },
  },
  {
    id: 'rpc.getlogs.empty-filter.01',
    title: 'An empty filter gives an error or the latest block, never the whole chain',
    area: 'logs',
    rules: ['RPC-FLT-18'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'At least one criterion should be given; a full dump is the one wrong answer.',
    async run(t) {
      const { third } = await t.scene(sealedHistory)
      await t.driver.blockStart()
      const reply = await t.rpc.call('eth_getLogs', [{}])
      if ('error' in reply.body) return
      for (const log of toLogs(reply.body.result)) {
        const height = expectQuantity(log.blockNumber, 'blockNumber')
        expectThat(height > third.blockNumber, `above ${third.blockNumber}`, height, 'blockNumber')
      }
    },
  },
  {
    id: 'rpc.getlogs.bad-filters.01',
    title: 'A short address, a short topic and a fifth topic place are errors',
    area: 'logs',
    rules: ['RPC-FLT-01'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Padding or cutting a criterion silently searches for something else.',
    async run({ rpc }) {
      const bad = [
        { address: '0x1234' },
        { topics: ['0x1234'] },
        { topics: [null, null, null, null, null] },
        { fromBlock: '16' },
        { blockHash: '0x12' },
      ]
      for (const filter of bad) {
        const at = `reply to ${JSON.stringify(filter)}`
        expectError(await rpc.call('eth_getLogs', [filter]), at)
      }
    },
  },
  {
    id: 'rpc.getlogs.long-range.01',
    title: 'A range of 1,999 blocks is served',
    area: 'logs',
    rules: ['LIM-01'],
    level: 'should',
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'Callers are told to stay under 2,000; what they then ask must work.',
    async run({ rpc }) {
      const tip = await getTip(rpc)
      // Both ends are searched: a provider may count them both (OPEN-23).
      const from = tip > 1998n ? tip - 1998n : 0n
      const to = `0x${(from + 1998n).toString(16)}`
      const fromBlock = `0x${from.toString(16)}`
      expectEqual(await getLogs(rpc, { fromBlock, toBlock: to, address: UNUSED }), [], 'result')
    },
  },
  {
    id: 'rpc.getlogs.too-long-range.01',
    title: 'A range of 5,000 blocks gives a full list or an error object',
    area: 'logs',
    rules: ['LIM-02', 'LIM-03'],
    level: 'may',
    needs: ['rpc'],
    rationale: 'A provider may refuse, in a reply; a silently cut list is worse than an error.',
    async run({ rpc }) {
      const filter = { fromBlock: '0x0', toBlock: '0x1388', address: UNUSED }
      const reply = await rpc.call('eth_getLogs', [filter])
      if ('error' in reply.body) expectError(reply, 'reply')
      else expectEqual(toLogs(reply.body.result), [], 'result')
    },
  },
  {
    id: 'rpc.getlogs.backwards.01',
    title: 'A range that runs backwards is an error',
    area: 'logs',
    rules: ['RPC-FLT-02', 'RPC-FLT-05'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Decided for OPEN-16: an empty answer would hide swapped bounds.',
    async run({ rpc }) {
      expectError(await rpc.call('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x0' }]), 'reply')
    },
  },
])
