import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { ECHO_PROBE, GAS_BEFORE_PROBE } from '../../probes/contracts.ts'
import { readContext, toWord, words } from '../../reads/eth-call.ts'
import { callResult, simulate, toBlocks } from '../../reads/simulate.ts'
import { type Probes, probeContracts } from '../../scenes/probe-contracts.ts'
import type { Hex } from '../../wire/hex.ts'
import type { RpcReply } from '../../wire/json-rpc-client.ts'

const FRESH: Hex = `0x${'d4'.repeat(20)}`
const POOR: Hex = `0x${'d5'.repeat(20)}`
const FEES = { maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x0' }

const hex = (value: bigint) => `0x${value.toString(16)}`

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
  ...([FRESH, POOR] as const).map(
    (account, index): OverrideRow => ({
      name: `each-account-${index + 1}`,
      title: `Account ${index + 1} of two that are overridden has its own balance`,
      rules: ['RPC-SIM-14', 'RPC-SIM-16'],
      entry: ({ balance }) => ({
        stateOverrides: { [FRESH]: { balance: hex(1n) }, [POOR]: { balance: hex(2n) } },
        calls: [{ to: balance, data: toWord(account) }],
      }),
      returned: toWord(index + 1),
    }),
  ),
  ...(['stateDiff', 'state'] as const).flatMap((key) =>
    [3, 4].map(
      (slot, index): OverrideRow => ({
        name: `each-slot-${key.toLowerCase()}-${index + 1}`,
        title: `Slot ${index + 1} of two that are overridden under ${key} has its own value`,
        rules: ['RPC-SIM-19'],
        level: 'should',
        entry: ({ store }) => ({
          stateOverrides: {
            [store]: { [key]: { [toWord(3)]: toWord(103), [toWord(4)]: toWord(104) } },
          },
          calls: [{ to: store, data: words(slot) }],
        }),
        returned: toWord(100 + slot),
      }),
    ),
  ),
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

/** Block values beside number and time, by the names of execution-apis, and the opcode that shows each. */
const BLOCK_VALUES = [
  ['gasLimit', 'GASLIMIT', 29_999_999n],
  ['baseFeePerGas', 'BASEFEE', 7_000_001n],
  ['feeRecipient', 'COINBASE', BigInt(FRESH)],
  ['prevRandao', 'PREVRANDAO', 0xfeed_beefn],
] as const

export const cases = defineCases([
  ...BLOCK_VALUES.map(
    ([name, opcode, value]): ConformanceCase => ({
      id: `rpc.simulate.block-${name.toLowerCase()}.01`,
      title: `${name} of blockOverrides is the ${opcode} that a callee sees`,
      area: 'simulate',
      rules: ['RPC-SIM-20'],
      level: 'should',
      needs: ['rpc', 'driver'],
      rationale: 'The spec names number "and others"; execution-apis names these.',
      async run(t) {
        const { context } = await t.scene(probeContracts)
        const text = {
          gasLimit: hex(value),
          baseFeePerGas: hex(value),
          feeRecipient: FRESH,
          prevRandao: toWord(value),
        }[name]
        const entry = { blockOverrides: { [name]: text }, calls: [{ to: context }] }
        const [block] = await simulate(t.rpc, [entry])
        const seen = readContext(callResult(block, 0).returnData as Hex)
        expectEqual(seen[opcode], value, opcode)
      },
    }),
  ),
  {
    id: 'rpc.simulate.call-gas-exact.01',
    title: 'A simulated call has the gas that it was given, and pays what its fees say',
    area: 'simulate',
    rules: ['RPC-SIM-13'],
    needs: ['rpc', 'driver'],
    rationale: 'Entries of calls are call objects as for eth_call: every member counts.',
    async run(t) {
      const { gas, context } = await t.scene(probeContracts)
      const cap = 90_000_000_000n
      const fees = { maxFeePerGas: hex(cap), maxPriorityFeePerGas: hex(cap) }
      const [block] = await simulate(t.rpc, [
        {
          stateOverrides: { [FRESH]: { balance: hex(10n ** 18n) } },
          calls: [
            { from: FRESH, to: gas, gas: hex(100_001n) },
            { from: FRESH, to: context, gas: hex(200_000n), ...fees },
            { from: FRESH, to: context, gas: hex(200_000n), gasPrice: hex(cap + 1n) },
          ],
        },
      ])
      const left = toWord(100_001n - GAS_BEFORE_PROBE)
      expectEqual(callResult(block, 0).returnData, left, 'calls[0].returnData')
      const prices = [1, 2].map((at) => {
        return readContext(callResult(block, at).returnData as Hex).GASPRICE
      })
      expectEqual(prices, [cap, cap + 1n], 'GASPRICE')
    },
  },
  {
    id: 'rpc.simulate.max-fee.01',
    title: 'maxFeePerGas caps the price of a simulated call',
    area: 'simulate',
    rules: ['RPC-SIM-13', 'RPC-SIM-20'],
    needs: ['rpc', 'driver'],
    rationale: 'With a base fee, a tip as large as the cap would lead beyond it.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const cap = 90_000_000_000n
      const fees = { maxFeePerGas: hex(cap), maxPriorityFeePerGas: hex(cap) }
      const [block] = await simulate(t.rpc, [
        {
          blockOverrides: { baseFeePerGas: hex(1_000_000_000n) },
          stateOverrides: { [FRESH]: { balance: hex(10n ** 18n) } },
          calls: [{ from: FRESH, to: context, gas: hex(200_000n), ...fees }],
        },
      ])
      const { GASPRICE } = readContext(callResult(block, 0).returnData as Hex)
      expectEqual(GASPRICE, cap, 'GASPRICE')
    },
  },
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
    id: 'rpc.simulate.override-later-storage.01',
    title:
      'In a later block stateDiff leaves other slots as calls left them, and state leaves none',
    area: 'simulate',
    rules: ['RPC-SIM-15', 'RPC-SIM-19'],
    needs: ['rpc', 'driver'],
    rationale:
      'execution-apis: state replaces the whole storage, stateDiff the slots that it names.',
    async run(t) {
      const { store } = await t.scene(probeContracts)
      const [one, other] = [911, 912]
      const reads = [one, other].map((slot) => ({ to: store, data: words(slot) }))
      const writes = [words(one, 7), words(other, 9)].map((data) => ({ to: store, data }))
      const changed = (key: 'stateDiff' | 'state', value: number) => ({
        stateOverrides: { [store]: { [key]: { [toWord(one)]: toWord(value) } } },
        calls: reads,
      })
      const entries = [{ calls: writes }, changed('stateDiff', 8), changed('state', 5)]
      const [, inPart, asWhole] = await simulate(t.rpc, entries)
      const valuesIn = (block: Parameters<typeof callResult>[0]) =>
        reads.map((_, index) => callResult(block, index).returnData)
      expectEqual(valuesIn(inPart), [toWord(8), toWord(9)], 'slots after stateDiff')
      expectEqual(valuesIn(asWhole), [toWord(5), toWord(0)], 'slots after state')
    },
  },
  {
    id: 'rpc.simulate.override-alone.01',
    title: 'An entry that only overrides an account has done so for the next',
    area: 'simulate',
    rules: ['RPC-SIM-14', 'RPC-SIM-12'],
    needs: ['rpc', 'driver'],
    rationale: 'calls is optional: an entry may only prepare what later ones look at.',
    async run(t) {
      const { balance } = await t.scene(probeContracts)
      const first = { stateOverrides: { [FRESH]: { balance: '0x2b' } } }
      const calls = [{ to: balance, data: toWord(FRESH) }]
      const [, block] = await simulate(t.rpc, [first, { calls }])
      expectEqual(callResult(block, 0).returnData, toWord(43), 'result[1].calls[0].returnData')
    },
  },
  {
    id: 'rpc.simulate.override-nothing.01',
    title: 'No balance, no code and zero in a slot are overrides as any other',
    area: 'simulate',
    rules: ['RPC-SIM-15', 'RPC-SIM-16', 'RPC-SIM-18', 'RPC-SIM-19'],
    needs: ['rpc', 'driver'],
    rationale: 'Whoever takes zero and 0x for absent leaves there what was to be taken away.',
    async run(t) {
      const { balance, store, echo } = await t.scene(probeContracts)
      const [slot, rich] = [913, t.driver.accounts[0]!]
      const accountsAs = (code: string, wei: string, value: number) => ({
        [FRESH]: { balance: wei, code },
        [store]: { stateDiff: { [toWord(slot)]: toWord(value) } },
      })
      const calls = [
        { to: balance, data: toWord(FRESH) },
        { to: FRESH, data: '0x0badcafe' },
        { to: store, data: words(slot) },
      ]
      const gone = { [rich]: { balance: '0x0' }, [echo]: { code: '0x' } }
      const ofChain = [
        { to: balance, data: toWord(rich) },
        { to: echo, data: '0x0badcafe' },
      ]
      const blocks = await simulate(t.rpc, [
        { stateOverrides: accountsAs(ECHO_PROBE, '0x2a', 7), calls },
        { stateOverrides: accountsAs('0x', '0x0', 0), calls },
        { stateOverrides: gone, calls: ofChain },
      ])
      const returned = blocks.map((block, at) =>
        (at < 2 ? calls : ofChain).map((_, index) => callResult(block, index).returnData),
      )
      const [set, unset, taken] = returned
      expectEqual(set, [toWord(42), '0x0badcafe', toWord(7)], 'what is set')
      expectEqual(unset, [toWord(0), '0x', toWord(0)], 'what is set to nothing afterwards')
      expectEqual(taken, [toWord(0), '0x'], 'what the chain has, and is set to nothing')
    },
  },
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
    id: 'rpc.simulate.validation-off-nonce.01',
    title: 'By default a nonce that is spent, and one that comes twice, do not matter',
    area: 'simulate',
    rules: ['RPC-SIM-09'],
    needs: ['rpc', 'driver'],
    rationale: 'A signed transaction that is simulated again brings the nonce that it had.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      // The first has sent what deploys the probes.
      const senders = [t.driver.accounts[0]!, FRESH, FRESH]
      const nonces = ['0x0', '0x3', '0x3']
      const calls = senders.map((from, index) => ({
        ...{ from, to: echo, nonce: nonces[index], gas: '0x186a0' },
      }))
      const entry = { stateOverrides: { [FRESH]: { nonce: '0x7' } }, calls }
      const [block] = await simulate(t.rpc, [entry])
      const statuses = calls.map((_, index) => callResult(block, index).status)
      expectEqual(statuses, ['0x1', '0x1', '0x1'], 'status of calls with nonces 0, 3 and 3')
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
  {
    id: 'rpc.simulate.validation-gas.01',
    title: 'With validation gas that the sender cannot pay does not succeed',
    area: 'simulate',
    rules: ['RPC-SIM-11'],
    needs: ['rpc'],
    rationale: 'A sender must have what it sends and what its gas costs at most.',
    async run({ rpc }) {
      const send = (balance: bigint) => {
        const call = { from: POOR, to: FRESH, value: '0x1', nonce: '0x0', gas: '0x5208', ...FEES }
        const entry = { stateOverrides: { [POOR]: { balance: hex(balance) } }, calls: [call] }
        const payload = { blockStateCalls: [entry], validation: true }
        return rpc.call('eth_simulateV1', [payload, 'latest'])
      }
      const most = 21_000n * BigInt(FEES.maxFeePerGas)
      expectEqual(callResult(toBlocks(await send(most + 1n))[0], 0).status, '0x1', 'status')
      expectNoSuccess(await send(most), 'one wei less than value and gas may cost')
      expectNoSuccess(await send(1n), 'enough for the value alone')
    },
  },
  {
    id: 'rpc.simulate.validation-nonce-next.01',
    title: 'With validation each call of a sender has the nonce after the one before',
    area: 'simulate',
    rules: ['RPC-SIM-10'],
    needs: ['rpc'],
    rationale: 'Nonces are enforced call by call, in later blocks of the simulation too.',
    async run({ rpc }) {
      const rich = { [FRESH]: { balance: '0xde0b6b3a7640000', nonce: '0x7' } }
      const call = (nonce: string) => ({ from: FRESH, to: POOR, nonce, gas: '0x5208', ...FEES })
      const send = (second: string, third: string) => {
        const first = { stateOverrides: rich, calls: [call('0x7'), call(second)] }
        const blockStateCalls = [first, { calls: [call(third)] }]
        return rpc.call('eth_simulateV1', [{ blockStateCalls, validation: true }, 'latest'])
      }
      const blocks = toBlocks(await send('0x8', '0x9'))
      const places = [
        [0, 0],
        [0, 1],
        [1, 0],
      ] as const
      const statuses = places.map(([at, index]) => callResult(blocks[at], index).status)
      expectEqual(statuses, ['0x1', '0x1', '0x1'], 'status of the calls with nonces 7, 8 and 9')
      expectNoSuccess(await send('0x7', '0x8'), 'nonce 7 twice', [0, 1])
      expectNoSuccess(await send('0x8', '0x8'), 'nonce 8 twice', [1, 0])
    },
  },
])

/** An error for the whole call, or a failed call in a result: both are refusals. */
function expectNoSuccess(
  reply: RpcReply,
  at: string,
  [block, index]: readonly [block: number, index: number] = [0, 0],
): void {
  if ('error' in reply.body) return
  const blocks = (reply.body.result ?? []) as { calls?: JsonObject[] }[]
  const status = blocks[block]?.calls?.[index]?.status
  expectThat(status === '0x0', 'an error, or status 0x0', reply.body, at)
}
