import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import type { Hex } from '../../drivers/driver.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { ECHO_PROBE } from '../../probes/contracts.ts'
import { toWord, words } from '../../reads/eth-call.ts'
import { callResult, simulate, toBlocks } from '../../reads/simulate.ts'
import { type Probes, probeContracts } from '../../scenes/probe-contracts.ts'
import type { RpcReply } from '../../wire/json-rpc-client.ts'

const FRESH: Hex = `0x${'d4'.repeat(20)}`
const POOR: Hex = `0x${'d5'.repeat(20)}`
const FEES = { maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x0' }

interface OverrideRow {
  name: string
  title: string
  rules: string[]
  level?: 'should'
  entry(probes: Probes): Record<string, unknown>
  returned: string
}

const ROWS: readonly OverrideRow[] = [
  {
    name: 'balance',
    title: 'A balance override is there for the very first call',
    rules: ['RPC-SIM-16', 'RPC-SIM-15', 'RPC-SIM-14'],
    entry: ({ balance }) => ({
      stateOverrides: { [FRESH]: { balance: '0x2a' } },
      calls: [{ to: balance, data: toWord(FRESH) }],
    }),
    returned: toWord(42),
  },
  {
    name: 'other-account',
    title: 'An override of one account leaves another alone',
    rules: ['RPC-SIM-14'],
    entry: ({ balance }) => ({
      stateOverrides: { [FRESH]: { balance: '0x2a' } },
      calls: [{ to: balance, data: toWord(POOR) }],
    }),
    returned: toWord(0),
  },
  {
    name: 'code',
    title: 'A code override runs',
    rules: ['RPC-SIM-18'],
    level: 'should',
    entry: () => ({
      stateOverrides: { [FRESH]: { code: ECHO_PROBE } },
      calls: [{ to: FRESH, data: '0x0badcafe' }],
    }),
    returned: '0x0badcafe',
  },
  ...(['stateDiff', 'state', 'storage'] as const).map(
    (key): OverrideRow => ({
      name: `slot-${key.toLowerCase()}`,
      title: `A slot is overridden under the key ${key}`,
      rules: ['RPC-SIM-19'],
      level: 'should',
      entry: ({ store }) => ({
        stateOverrides: { [store]: { [key]: { [toWord(3)]: toWord(99) } } },
        calls: [{ to: store, data: words(3) }],
      }),
      returned: toWord(99),
    }),
  ),
]

export const cases = defineCases([
  ...ROWS.map(
    (row): ConformanceCase => ({
      id: `rpc.simulate.override-${row.name}.01`,
      title: row.title,
      area: 'simulate',
      rules: row.rules,
      ...(row.level ? { level: row.level } : {}),
      needs: ['rpc', 'driver'],
      rationale: 'Overrides say "what if"; one that is ignored answers another question.',
      async run(t) {
        const [block] = await simulate(t.rpc, [row.entry(await t.scene(probeContracts))])
        const call = callResult(block, 0)
        expectEqual(call.status, '0x1', 'calls[0].status')
        expectEqual(call.returnData, row.returned, 'calls[0].returnData')
      },
    }),
  ),
  {
    id: 'rpc.simulate.validation-off.01',
    title: 'By default a wrong nonce and an empty sender do not matter',
    area: 'simulate',
    rules: ['RPC-SIM-09'],
    needs: ['rpc', 'driver'],
    rationale: 'Simulations ask about senders that exist only in the question.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      const call = { from: POOR, to: echo, nonce: '0x64', gas: '0x186a0' }
      const [block] = await simulate(t.rpc, [{ calls: [call] }])
      expectEqual(callResult(block, 0).status, '0x1', 'calls[0].status')
    },
  },
  {
    id: 'rpc.simulate.validation-off-value.01',
    title: 'By default value and gas that the sender does not have do not matter',
    area: 'simulate',
    rules: ['RPC-SIM-09'],
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'Nonce and balance are enforced only with validation; deployed nodes enforce value.',
    async run({ rpc }) {
      const send = { from: POOR, to: FRESH, value: '0xde0b6b3a7640000' }
      const [block] = await simulate(rpc, [{ calls: [send, { ...send, gas: '0x5208', ...FEES }] }])
      for (const index of [0, 1]) {
        expectEqual(callResult(block, index).status, '0x1', `calls[${index}].status`)
      }
    },
  },
  {
    id: 'rpc.simulate.validation-nonce.01',
    title: 'With validation a wrong nonce does not succeed, and an overridden one does',
    area: 'simulate',
    rules: ['RPC-SIM-10', 'RPC-SIM-17'],
    needs: ['rpc', 'driver'],
    rationale: 'The same call fails with one nonce and passes with the other.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      const rich = { balance: '0xde0b6b3a7640000', nonce: '0x7' }
      const send = (nonce: string) => {
        const call = { from: FRESH, to: echo, nonce, gas: '0x186a0', ...FEES }
        const entry = { stateOverrides: { [FRESH]: rich }, calls: [call] }
        const payload = { blockStateCalls: [entry], validation: true }
        return t.rpc.call('eth_simulateV1', [payload, 'latest'])
      }
      expectEqual(callResult(toBlocks(await send('0x7'))[0], 0).status, '0x1', 'status')
      expectNoSuccess(await send('0x9'), 'nonce 9 of an account at 7')
      expectNoSuccess(await send('0x5'), 'nonce 5 of an account at 7')
    },
  },
  {
    id: 'rpc.simulate.validation-balance.01',
    title: 'With validation a value above the balance does not succeed',
    area: 'simulate',
    rules: ['RPC-SIM-11'],
    needs: ['rpc', 'driver'],
    rationale: 'Validation means what a real transaction would meet.',
    async run(t) {
      const call = { from: POOR, to: FRESH, value: '0x1', nonce: '0x0', gas: '0x186a0', ...FEES }
      const payload = { blockStateCalls: [{ calls: [call] }], validation: true }
      expectNoSuccess(await t.rpc.call('eth_simulateV1', [payload, 'latest']), 'value 1 of 0')
    },
  },
])

/** An error for the whole call, or a failed call in a result: both are refusals. */
function expectNoSuccess(reply: RpcReply, at: string): void {
  if ('error' in reply.body) return
  const blocks = (reply.body.result ?? []) as { calls?: JsonObject[] }[]
  const status = blocks[0]?.calls?.[0]?.status
  expectThat(status === '0x0', 'an error, or status 0x0', reply.body, at)
}
