import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectBytes, expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectKeys } from '../../matchers/expect-shape.ts'
import { readContext, words } from '../../reads/eth-call.ts'
import { getBlock, getTip } from '../../reads/get-block.ts'
import { callResult, simulate } from '../../reads/simulate.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { BLOCK_FIELDS } from '../../spec/block-fields.ts'

const ZERO_WORD = `0x${'00'.repeat(32)}`
const hex = (value: bigint) => `0x${value.toString(16)}`

export const cases = defineCases([
  {
    id: 'rpc.simulate.members.01',
    title: 'An element is a block with all its members, and calls',
    area: 'simulate',
    rules: ['RPC-SIM-22', 'RPC-SIM-27', 'RPC-SIM-29'],
    needs: ['rpc'],
    rationale: 'One parser reads sealed and simulated blocks.',
    async run({ rpc }) {
      const [block] = await simulate(rpc, [{}])
      expectKeys(block!, [...Object.keys(BLOCK_FIELDS), 'calls'], 'result[0]')
      for (const [name, form] of Object.entries(BLOCK_FIELDS)) {
        expectForm(block?.[name], form, `result[0].${name}`)
      }
    },
  },
  {
    id: 'rpc.simulate.number.01',
    title: 'number is one more than the base, and never null',
    area: 'simulate',
    rules: ['RPC-SIM-23'],
    needs: ['rpc'],
    rationale: 'The pending base has no number; its simulated child has.',
    async run({ rpc }) {
      const tip = await getTip(rpc)
      const blocks = await simulate(rpc, [{}, {}], {}, hex(tip))
      const heights = blocks.map((block) => expectQuantity(block.number, 'number'))
      expectEqual(heights, [tip + 1n, tip + 2n], 'numbers')
      const [pending] = await simulate(rpc, [{}], {}, 'pending')
      expectQuantity(pending?.number, 'number on pending')
    },
  },
  {
    id: 'rpc.simulate.links.01',
    title: 'Each element has its own hash and names its parent',
    area: 'simulate',
    rules: ['RPC-SIM-24', 'RPC-SIM-25'],
    needs: ['rpc'],
    rationale: 'The first follows the base block, the next follows the first.',
    async run({ rpc }) {
      const base = await getBlock(rpc, 'latest')
      const [one, two] = await simulate(rpc, [{}, {}], {}, String(base.number))
      expectEqual(one?.parentHash, base.hash, 'result[0].parentHash')
      expectEqual(two?.parentHash, one?.hash, 'result[1].parentHash')
      expectDifferent(expectHash(one?.hash, 'hash'), base.hash, 'result[0].hash')
      expectDifferent(expectHash(two?.hash, 'hash'), one?.hash, 'result[1].hash')
    },
  },
  {
    id: 'rpc.simulate.state-root.01',
    title: 'stateRoot is 32 zero bytes in every element',
    area: 'simulate',
    rules: ['RPC-SIM-30'],
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'A simulation commits no state, so it has no root to tell.',
    async run({ rpc }) {
      for (const block of await simulate(rpc, [{}, {}])) {
        expectEqual(block.stateRoot, ZERO_WORD, 'stateRoot')
      }
    },
  },
  {
    id: 'rpc.simulate.context.01',
    title: 'timestamp, number and gasLimit are what a call in that element sees',
    area: 'simulate',
    rules: ['RPC-SIM-26', 'RPC-SIM-27', 'RPC-SIM-23'],
    needs: ['rpc', 'driver'],
    rationale: 'The reported header and the one the EVM reads are one.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const [block] = await simulate(t.rpc, [{ calls: [{ to: context }] }])
      const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
      expectEqual(seen.TIMESTAMP, expectQuantity(block?.timestamp, 'timestamp'), 'TIMESTAMP')
      expectEqual(seen.NUMBER, expectQuantity(block?.number, 'number'), 'NUMBER')
      expectEqual(seen.GASLIMIT, expectQuantity(block?.gasLimit, 'gasLimit'), 'GASLIMIT')
    },
  },
  {
    id: 'rpc.simulate.gas-used.01',
    title: 'gasUsed of an element is the sum over its calls, each with its own',
    area: 'simulate',
    rules: ['RPC-SIM-28', 'RPC-SIM-35'],
    needs: ['rpc', 'driver'],
    rationale: 'A plain transfer is 21,000 gas, wherever it stands.',
    async run(t) {
      const { loop, echo } = await t.scene(probeContracts)
      const from = t.driver.accounts[8]!
      const transfer = { from, to: t.driver.accounts[7]!, value: '0x1' }
      const calls = [{ from, to: loop, data: words(10) }, transfer, { from, to: echo }]
      const [block] = await simulate(t.rpc, [{ calls }])
      const each = calls.map((_, index) =>
        expectQuantity(callResult(block, index).gasUsed, `calls[${index}].gasUsed`),
      )
      expectEqual(each[1], 21_000n, 'calls[1].gasUsed')
      const sum = each.reduce((total, gas) => total + gas, 0n)
      expectEqual(expectQuantity(block?.gasUsed, 'gasUsed'), sum, 'result[0].gasUsed')
    },
  },
  {
    id: 'rpc.simulate.override-number.01',
    title: 'A number override shows in the element and in NUMBER',
    area: 'simulate',
    rules: ['RPC-SIM-20'],
    needs: ['rpc', 'driver'],
    rationale: 'Both the report and the execution follow it.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const number = (await getTip(t.rpc)) + 50n
      const entry = { blockOverrides: { number: hex(number) }, calls: [{ to: context }] }
      const blocks = await simulate(t.rpc, [entry])
      const block = blocks.at(-1)
      expectEqual(expectQuantity(block?.number, 'number'), number, 'number')
      const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
      expectEqual(seen.NUMBER, number, 'NUMBER')
    },
  },
  {
    id: 'rpc.simulate.override-later.01',
    title: 'number and timestamp of a later element are overridden, too, and seen by its calls',
    area: 'simulate',
    rules: ['RPC-SIM-20', 'RPC-SIM-21'],
    needs: ['rpc', 'driver'],
    rationale: 'Overrides are of each element; one that holds in the first alone is half of it.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const base = await getBlock(t.rpc, 'latest')
      const number = expectQuantity(base.number, 'number')
      const time = expectQuantity(base.timestamp, 'timestamp') + 500n
      const entryOf = (index: bigint) => ({
        blockOverrides: { number: hex(number + index), timestamp: hex(time + 40n * index) },
        calls: [{ to: context }],
      })
      const blocks = await simulate(t.rpc, [1n, 2n, 3n].map(entryOf), {}, hex(number))
      for (const [index, block] of blocks.entries()) {
        const place = BigInt(index) + 1n
        const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
        const at = `result[${index}]`
        expectEqual(expectQuantity(block.timestamp, 'timestamp'), time + 40n * place, at)
        expectEqual(seen.TIMESTAMP, time + 40n * place, `TIMESTAMP in ${at}`)
        expectEqual(seen.NUMBER, number + place, `NUMBER in ${at}`)
      }
    },
  },
  {
    id: 'rpc.simulate.override-later.02',
    title:
      'A gap of numbers, fee recipient, base fee, gas limit and randomness hold in a later element',
    area: 'simulate',
    rules: ['RPC-SIM-20'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale:
      'The spec names number "and others"; deployed nodes fill a gap of numbers, so the last element is looked at.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const number = (await getTip(t.rpc)) + 20n
      const blockOverrides = {
        ...{
          number: hex(number),
          feeRecipient: `0x${'d6'.repeat(20)}`,
          gasLimit: hex(29_999_997n),
        },
        ...{ baseFeePerGas: hex(7_000_003n), prevRandao: `0x${'0b'.repeat(32)}` },
      }
      const blocks = await simulate(t.rpc, [{}, { blockOverrides, calls: [{ to: context }] }])
      const seen = readContext(expectBytes(callResult(blocks.at(-1), 0).returnData, 'returnData'))
      const { NUMBER, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO } = seen
      expectEqual(
        { NUMBER, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO },
        {
          ...{ NUMBER: number, GASLIMIT: 29_999_997n, BASEFEE: 7_000_003n },
          ...{ COINBASE: BigInt(blockOverrides.feeRecipient) },
          PREVRANDAO: BigInt(blockOverrides.prevRandao),
        },
        'what the second element sees',
      )
    },
  },
  {
    id: 'rpc.simulate.override-timestamp.02',
    title: 'A timestamp beyond 32 bits shows in the element and in TIMESTAMP',
    area: 'simulate',
    rules: ['RPC-SIM-21'],
    needs: ['rpc', 'driver'],
    rationale: 'Time locks are tried far in the future; a header has 64 bits for its time.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const time = 2n ** 33n + 5n
      const entry = { blockOverrides: { timestamp: hex(time) }, calls: [{ to: context }] }
      const [block] = await simulate(t.rpc, [entry])
      expectEqual(expectQuantity(block?.timestamp, 'timestamp'), time, 'timestamp')
      const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
      expectEqual(seen.TIMESTAMP, time, 'TIMESTAMP')
    },
  },
  ...(['timestamp', 'time'] as const).map(
    (name): ConformanceCase => ({
      id: `rpc.simulate.override-${name}.01`,
      title: `A ${name} override shows in the element and in TIMESTAMP`,
      area: 'simulate',
      rules: ['RPC-SIM-21'],
      ...(name === 'time' ? { level: 'should' } : {}),
      needs: ['rpc', 'driver'],
      rationale: 'The spec shows timestamp; execution-apis calls it time (OPEN-31).',
      async run(t) {
        const { context } = await t.scene(probeContracts)
        const base = await getBlock(t.rpc, 'latest')
        const time = expectQuantity(base.timestamp, 'timestamp') + 1000n
        const entry = { blockOverrides: { [name]: hex(time) }, calls: [{ to: context }] }
        const [block] = await simulate(t.rpc, [entry])
        expectEqual(expectQuantity(block?.timestamp, 'timestamp'), time, 'timestamp')
        const seen = readContext(expectBytes(callResult(block, 0).returnData, 'returnData'))
        expectEqual(seen.TIMESTAMP, time, 'TIMESTAMP')
      },
    }),
  ),
])
