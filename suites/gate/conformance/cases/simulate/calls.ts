import { encodeErrorResult, parseAbi } from 'viem'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import {
  expectArray,
  expectExactKeys,
  expectObject,
  expectString,
} from '../../matchers/expect-shape.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { encodeLogEntries } from '../../probes/contracts.ts'
import { addressOf, ethCall, readContext, toWord, words } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { callResult, simulate, toBlocks } from '../../reads/simulate.ts'
import { PENDING_VALUE, preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { sealedHistory, TRANSFER, WRITTEN, X } from '../../scenes/sealed-history.ts'
import type { Hex } from '../../wire/hex.ts'

const REASON = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no such luck'] })

const hex = (value: bigint) => `0x${value.toString(16)}`

/** An account that no chain has, and code that returns one. */
const UNKNOWN = `0x${'5e1f'.repeat(10)}` as const
const RETURNS_ONE = '0x600160005260206000f3'

export const cases = defineCases([
  {
    id: 'rpc.simulate.order.01',
    title: 'Elements and their calls come in the order of the payload',
    area: 'simulate',
    rules: ['RPC-SIM-05', 'RPC-SIM-32', 'RPC-SIM-36'],
    needs: ['rpc', 'driver'],
    rationale: 'Distinct calldata comes back from each place; nothing returned is 0x.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      const entry = (...data: string[]) => ({
        calls: data.map((each) => ({ to: echo, data: each })),
      })
      const blocks = await simulate(t.rpc, [entry('0x01', '0x02'), entry('0x03'), entry('0x')])
      const returned = blocks.map((block) =>
        expectArray(block.calls, 'calls').map((call) => expectObject(call, 'calls[]').returnData),
      )
      expectEqual(returned, [['0x01', '0x02'], ['0x03'], ['0x']], 'returnData')
    },
  },
  {
    id: 'rpc.simulate.call-result-members.01',
    title: 'A call result has the members of the spec and no others',
    area: 'simulate',
    rules: ['RPC-SIM-32'],
    level: 'should',
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'Deployed nodes add maxUsedGas; the spec lists what there is.',
    async run({ rpc }) {
      const [block] = await simulate(rpc, [{ calls: [{}] }])
      const members = ['status', 'gasUsed', 'returnData', 'logs']
      expectExactKeys(callResult(block, 0), members, 'calls[0]')
    },
  },
  {
    id: 'rpc.simulate.failure-in-the-middle.01',
    title: 'A reverting call has status 0x0 and the calls around it 0x1',
    area: 'simulate',
    rules: ['RPC-SIM-32', 'RPC-SIM-33', 'RPC-SIM-34', 'ERR-05', 'RPC-SIM-38'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'The whole request is no error; only the failed call may tell why, as a string.',
    async run(t) {
      const { echo, revert } = await t.scene(probeContracts)
      const calls = [{ to: echo }, { to: revert, data: REASON }, { to: echo }]
      const [block] = await simulate(t.rpc, [{ calls }])
      expectArray(block?.calls, 'calls', 3)
      const [one, two, three] = [0, 1, 2].map((index) => callResult(block, index))
      expectEqual([one?.status, two?.status, three?.status], ['0x1', '0x0', '0x1'], 'status')
      // Null is no reason, as where every answer is judged.
      for (const success of [one, three])
        expectEqual(success?.error ?? undefined, undefined, 'error of a success')
      if (two?.error !== undefined && two.error !== null) {
        const error = expectString(two.error, 'calls[1].error')
        expectThat(error.includes('no such luck'), 'the revert reason', error, 'calls[1].error')
      }
      expectEqual(two?.returnData, REASON, 'calls[1].returnData')
    },
  },
  {
    id: 'rpc.simulate.call-members.01',
    title: 'from, to, value, data and gas of a call are what the callee observes',
    area: 'simulate',
    rules: ['RPC-SIM-13'],
    needs: ['rpc', 'driver'],
    rationale: 'They mean the same as in eth_call.',
    async run(t) {
      const { context, echo } = await t.scene(probeContracts)
      const from = t.driver.accounts[8]!
      const calls = [
        { from, to: context, value: '0x2a', gas: '0x186a0' },
        { from, to: echo, data: '0x0102' },
      ]
      const [block] = await simulate(t.rpc, [{ calls }])
      const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
      expectEqual(addressOf(seen.CALLER), from, 'CALLER')
      expectEqual(addressOf(seen.ADDRESS), context, 'ADDRESS')
      expectEqual(seen.CALLVALUE, 42n, 'CALLVALUE')
      expectThat(seen.GAS < 100_000n, 'less than 100000', seen.GAS, 'GAS')
      expectEqual(callResult(block, 1).returnData, '0x0102', 'calls[1].returnData')
    },
  },
  {
    id: 'rpc.simulate.many-calls.01',
    title: 'Forty calls in one block have forty results',
    area: 'simulate',
    rules: ['RPC-SIM-32', 'RPC-SIM-36'],
    needs: ['rpc', 'driver'],
    rationale: 'Wallets simulate bundles; a list that is cut is another bundle.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      const calls = Array.from({ length: 40 }, (_, index) => ({ to: echo, data: toWord(index) }))
      const [block] = await simulate(t.rpc, [{ calls }])
      expectArray(block?.calls, 'calls', calls.length)
      for (const [index, { data }] of calls.entries())
        expectEqual(callResult(block, index).returnData, data, `calls[${index}].returnData`)
    },
  },
  {
    id: 'rpc.simulate.long.01',
    title: 'What a simulated call returns, reverts with and logs comes whole, however long it is',
    area: 'simulate',
    rules: ['RPC-SIM-36', 'RPC-SIM-37', 'RPC-SIM-13'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Lists and blobs are longer than a page; what is cut does not decode.',
    async run(t) {
      const { echo, revert, logA } = await t.scene(probeContracts)
      for (const length of [257, 1_025, 25_000]) {
        const data = anyBytes(length)
        const logged = encodeLogEntries([{ topics: [TRANSFER, X], data }])
        const calls = [
          { to: echo, data },
          { to: revert, data },
          { to: logA, data: logged },
        ]
        const [block] = await simulate(t.rpc, [{ calls }])
        const [one, two, three] = calls.map((_, index) => callResult(block, index))
        expectEqual(one?.returnData, data, `returnData of ${length} bytes`)
        expectEqual(two?.returnData, data, `returnData of ${length} bytes, reverted`)
        const [log] = expectArray(three?.logs, 'calls[2].logs', 1)
        expectEqual(expectObject(log, 'log').data, data, `data of ${length} bytes`)
      }
    },
  },
  {
    id: 'rpc.simulate.many-blocks.01',
    title: 'A hundred entries with three calls each are a hundred blocks with their calls',
    area: 'simulate',
    rules: ['RPC-SIM-04', 'RPC-SIM-05', 'RPC-SIM-32'],
    needs: ['rpc', 'driver'],
    rationale: 'Each call returns its own number; what is left out or moved shows.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      const data = (entry: number, call: number) => toWord(100 * entry + call)
      const entries = Array.from({ length: 100 }, (_, entry) => ({
        calls: [0, 1, 2].map((call) => ({ to: echo, data: data(entry, call) })),
      }))
      const blocks = await simulate(t.rpc, entries)
      const returned = blocks.map((block) => [0, 1, 2].map((i) => callResult(block, i).returnData))
      const expected = entries.map((_, entry) => [0, 1, 2].map((call) => data(entry, call)))
      expectEqual(returned, expected, 'returnData')
    },
  },
  {
    id: 'rpc.simulate.selector-picks-state.01',
    title: 'At two heights around a write a simulation begins from the old and the new value',
    area: 'simulate',
    rules: ['RPC-SIM-02', 'RPC-SEL-01'],
    needs: ['rpc', 'driver'],
    rationale: 'A slot was written in one block and again in a later one; the base is its parent.',
    async run(t) {
      const { probes, writes } = await t.scene(sealedHistory)
      const call = { to: probes.store, data: toWord(WRITTEN.slot) }
      for (const [height, value] of [
        [writes.first, WRITTEN.first],
        [writes.second - 1n, WRITTEN.first],
        [writes.second, WRITTEN.second],
      ] as const) {
        const [block] = await simulate(t.rpc, [{ calls: [call] }], {}, hex(height))
        expectEqual(callResult(block, 0).returnData, toWord(value), `slot after ${height}`)
        expectEqual(block?.number, hex(height + 1n), 'number')
        const base = await getBlock(t.rpc, height)
        expectEqual(block?.parentHash, base.hash, 'parentHash')
      }
    },
  },
  {
    id: 'rpc.simulate.logs.01',
    title: 'logs of a call are the events it emitted, without asking for transfers',
    area: 'simulate',
    rules: ['RPC-SIM-37', 'RPC-SIM-07'],
    needs: ['rpc', 'driver'],
    rationale: 'One event and one value move: the event alone is a log by default.',
    async run(t) {
      const { logA } = await t.scene(probeContracts)
      const data = encodeLogEntries([{ topics: [TRANSFER, X], data: toWord(5) }])
      const from = t.driver.accounts[8]!
      const transfer = { from, to: t.driver.accounts[7], value: '0x1' }
      const [block] = await simulate(t.rpc, [{ calls: [{ from, to: logA, data }, transfer] }])
      const logs = expectArray(callResult(block, 0).logs, 'calls[0].logs', 1)
      const log = expectObject(logs[0], 'calls[0].logs[0]')
      expectEqual(log.topics, [TRANSFER, X], 'topics')
      expectEqual(log.data, toWord(5), 'data')
      expectEqual(String(log.address).toLowerCase(), logA, 'address')
      expectArray(callResult(block, 1).logs, 'calls[1].logs', 0)
    },
  },
  {
    id: 'rpc.simulate.trace-transfers.01',
    title:
      'With traceTransfers a value move is a Transfer log, an inner one too, and none that is taken back',
    area: 'simulate',
    rules: ['RPC-SIM-08'],
    needs: ['rpc', 'driver'],
    rationale: 'Wallets show what moves; from, to and amount are in the log.',
    async run(t) {
      const { forward, revert } = await t.scene(probeContracts)
      const from = t.driver.accounts[8]!
      const to = t.driver.accounts[7]!
      const calls = [
        { from, to, value: '0x2a' },
        { from, to: forward, data: toWord(to), value: '0x7' },
        { from, to: revert, value: '0x9' },
      ]
      const [block] = await simulate(t.rpc, [{ calls }], { traceTransfers: true })
      const moves = calls.map((_, index) =>
        expectArray(callResult(block, index).logs ?? [], `calls[${index}].logs`).map((each) => {
          const { topics, data } = expectObject(each, 'log')
          return [...expectArray(topics, 'topics'), data]
        }),
      )
      const move = (sender: typeof from, receiver: typeof from, amount: number) => [
        TRANSFER,
        toWord(sender),
        toWord(receiver),
        toWord(amount),
      ]
      expectEqual(
        moves,
        [[move(from, to, 42)], [move(from, forward, 7), move(forward, to, 7)], []],
        'logs',
      )
    },
  },
  {
    id: 'rpc.simulate.no-trace.01',
    title: 'A simulation changes nothing that is read afterwards',
    area: 'simulate',
    rules: ['RPC-SIM-31'],
    needs: ['rpc', 'driver'],
    rationale: 'Writes and overrides are simulated; none may leak, whichever method reads first.',
    async run(t) {
      const { counter, store } = await t.scene(probeContracts)
      const over = { balance: '0x7', nonce: '0x5', code: RETURNS_ONE }
      const stateDiff = { [toWord(900)]: toWord(1) }
      const stateOverrides = { [store]: { stateDiff }, [UNKNOWN]: over }
      const calls = [{ to: counter }, { to: store, data: words(901, 1) }, { to: UNKNOWN }]
      const [block] = await simulate(t.rpc, [{ stateOverrides, calls }])
      expectEqual(callResult(block, 0).returnData, words(1), 'simulated counter')
      expectEqual(callResult(block, 2).returnData, words(1), 'returnData of the code set')
      for (const slot of [900, 901]) {
        const stored = await t.rpc.result('eth_getStorageAt', [store, toWord(slot), 'latest'])
        expectEqual(stored, toWord(0), `slot ${slot} afterwards`)
        const value = await ethCall(t.rpc, { to: store, data: words(slot) })
        expectEqual(value, toWord(0), `slot ${slot} afterwards, by a call`)
      }
      for (const method of ['eth_getBalance', 'eth_getTransactionCount']) {
        const { body } = await t.rpc.call(method, [UNKNOWN, 'latest'])
        if ('result' in body) expectEqual(body.result, '0x0', `${method} afterwards`)
      }
      expectEqual(await ethCall(t.rpc, { to: UNKNOWN }), '0x', 'code afterwards')
      expectEqual(await ethCall(t.rpc, { to: counter }), words(1), 'counter afterwards')
    },
  },
  {
    id: 'rpc.simulate.state-carries-over.01',
    title: 'State carries over from call to call and from element to element',
    area: 'simulate',
    rules: ['RPC-SIM-05', 'RPC-SIM-32'],
    needs: ['rpc', 'driver'],
    rationale: 'execution-apis: a counter simulated four times gives 1, 2, 3, 4.',
    async run(t) {
      const { counter } = await t.scene(probeContracts)
      const calls = [{ to: counter }, { to: counter }]
      const blocks = await simulate(t.rpc, [{ calls }, { calls }])
      const values = blocks.flatMap((block) => [0, 1].map((i) => callResult(block, i).returnData))
      expectEqual(
        values,
        [1, 2, 3, 4].map((each) => toWord(each)),
        'returnData',
      )
    },
  },
  {
    id: 'rpc.simulate.pending-state.01',
    title: 'At pending a simulation sees a pre-confirmed write that latest does not have',
    area: 'simulate',
    rules: ['RPC-SIM-03', 'RPC-SEL-03'],
    needs: ['rpc', 'driver'],
    rationale: 'Simulating on what is about to be sealed is why the method is offered.',
    async run(t) {
      const { reads } = await t.scene(preconfirmedWindow)
      const value = (name: 'simulatePending' | 'simulateLatest') =>
        callResult(toBlocks(reads[name])[0], 0).returnData
      expectEqual(value('simulatePending'), toWord(PENDING_VALUE), 'returnData at pending')
      expectEqual(value('simulateLatest'), toWord(0), 'returnData at latest')
    },
  },
  ...(['simulatePendingAtLength', 'simulatePendingValidated'] as const).map(
    (name, index): ConformanceCase => ({
      id: `rpc.simulate.pending-at-length.0${index + 1}`,
      title: `So does one with senders, fees, overrides and traced transfers in two entries${index > 0 ? ', and validation' : ''}`,
      area: 'simulate',
      rules: ['RPC-SIM-03'],
      needs: ['rpc', 'driver'],
      rationale:
        'Who overrides, traces or validates on its own way must not begin at another block there.',
      async run(t) {
        const { reads } = await t.scene(preconfirmedWindow)
        const [one, two] = toBlocks(reads[name])
        const results = [callResult(one, 0), callResult(one, 1), callResult(two, 0)]
        const values = results.map(({ returnData }) => returnData)
        expectEqual(values, Array(3).fill(toWord(PENDING_VALUE)), 'returnData at pending')
      },
    }),
  ),
  {
    id: 'rpc.simulate.from-default.01',
    title: 'Without from the sender of a simulated call is the zero address',
    area: 'simulate',
    rules: ['RPC-SIM-13'],
    needs: ['rpc', 'driver'],
    rationale: 'It means the same as in eth_call.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const [block] = await simulate(t.rpc, [{ calls: [{ to: context }] }])
      const { CALLER } = readContext(callResult(block, 0).returnData as Hex)
      expectEqual(addressOf(CALLER), `0x${'00'.repeat(20)}`, 'CALLER')
    },
  },
  {
    id: 'rpc.simulate.from-contract.01',
    title: 'By default a contract may be the sender of a simulated call',
    area: 'simulate',
    rules: ['RPC-SIM-09', 'RPC-SIM-13'],
    needs: ['rpc', 'driver'],
    rationale:
      'What a wallet that is a contract does is tried out so; EIP-3607 is of transactions.',
    async run(t) {
      const { context, echo } = await t.scene(probeContracts)
      const [block] = await simulate(t.rpc, [{ calls: [{ from: echo, to: context }] }])
      const { status, returnData } = callResult(block, 0)
      expectEqual(status, '0x1', 'calls[0].status')
      expectEqual(addressOf(readContext(returnData as Hex).CALLER), echo, 'CALLER')
    },
  },
  {
    id: 'rpc.simulate.quantities.01',
    title: 'A call result has status, gasUsed, returnData and a list of logs, failed or not',
    area: 'simulate',
    rules: ['RPC-SIM-35', 'RPC-SIM-36', 'RPC-SIM-37'],
    needs: ['rpc', 'driver'],
    rationale: 'Members that vanish on failure break typed clients.',
    async run(t) {
      const { echo, revert } = await t.scene(probeContracts)
      const [block] = await simulate(t.rpc, [{ calls: [{ to: echo }, { to: revert }] }])
      for (const index of [0, 1]) {
        const call = callResult(block, index)
        expectQuantity(call.status, 'status')
        expectQuantity(call.gasUsed, 'gasUsed')
        expectEqual(call.returnData, '0x', 'returnData')
        expectArray(call.logs, 'logs', 0)
      }
    },
  },
])
