import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { getTip } from '../../reads/get-block.ts'

/** Nobody's: whatever they have, the question gives them. */
const [SENDER, RECEIVER] = ['c3', 'c4'].map((byte) => `0x${byte.repeat(20)}`) as [string, string]
/** More than any base fee. */
const FEES = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x0' }
const MOST_BLOCKS = 256

/** A call of a sender at nonce seven with one ether, held to what a transaction would meet. */
const validated = (call: Record<string, unknown>) => () => ({
  validation: true,
  blockStateCalls: [
    {
      stateOverrides: { [SENDER]: { balance: '0xde0b6b3a7640000', nonce: '0x7' } },
      calls: [{ from: SENDER, to: RECEIVER, nonce: '0x7', gas: '0x5208', ...FEES, ...call }],
    },
  ],
})
/** Two blocks with the same overrides. */
const twice = (blockOverrides: Record<string, string>) => ({
  blockStateCalls: [{ blockOverrides }, { blockOverrides }],
})

interface Row {
  what: string
  code: number
  rule: string
  /** @param tip the newest height */
  payload(tip: bigint): unknown
}

const ROWS: readonly Row[] = [
  {
    ...{ what: 'A nonce that was used', code: -38010, rule: 'RPC-SIM-10' },
    payload: validated({ nonce: '0x6' }),
  },
  {
    ...{ what: 'A nonce ahead of its turn', code: -38011, rule: 'RPC-SIM-10' },
    payload: validated({ nonce: '0x8' }),
  },
  {
    ...{ what: 'Less gas than any call takes', code: -38013, rule: 'RPC-SIM-13' },
    payload: validated({ gas: '0x5207' }),
  },
  {
    ...{ what: 'A value that nobody has', code: -38014, rule: 'RPC-SIM-11' },
    payload: validated({ value: '0x1bc16d674ec80000' }),
  },
  {
    ...{ what: 'Two blocks of one number', code: -38020, rule: 'RPC-SIM-20' },
    payload: (tip) => twice({ number: `0x${(tip + 50n).toString(16)}` }),
  },
  {
    ...{ what: 'A block before the one that it stands on', code: -38021, rule: 'RPC-SIM-21' },
    payload: () => ({
      blockStateCalls: ['0x7fffffff', '0x7ffffffe'].map((time) => ({ blockOverrides: { time } })),
    }),
  },
  {
    ...{ what: `${MOST_BLOCKS + 1} blocks`, code: -38026, rule: 'RPC-SIM-04' },
    payload: () => ({ blockStateCalls: Array.from({ length: MOST_BLOCKS + 1 }, () => ({})) }),
  },
]

export const cases = defineCases(
  ROWS.map(
    ({ what, code, rule, payload }, index): ConformanceCase => ({
      id: `rpc.simulate.refusal-code.0${index + 1}`,
      title: `${what} is error ${code} of the whole request`,
      area: 'simulate',
      rules: [rule],
      level: 'should',
      needs: ['rpc'],
      rationale: 'Decided for OPEN-28: the codes of execution-apis, by which clients tell why.',
      async run({ rpc }) {
        const simulation = payload(await getTip(rpc))
        const reply = await rpc.call('eth_simulateV1', [simulation, 'latest'])
        expectError(reply, 'reply to eth_simulateV1', code)
      },
    }),
  ),
)
