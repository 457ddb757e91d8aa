import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { PLACED, placedAddress } from '../../probes/probe-code.ts'
import { readContext, toWord } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { simulateReader } from '../../reads/placed-reader.ts'
import { callResult, toBlocks } from '../../reads/simulate.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import type { Hex } from '../../wire/hex.ts'

const SENDER: Hex = `0x${'d6'.repeat(20)}`
const RECEIVER: Hex = `0x${'d7'.repeat(20)}`
const NONCE = 7n
const GAS = { gas: '0x30d40', maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x0' }
/** Blocks and seconds beyond the newest block: `pending` is before that, too. */
const [BLOCKS, SECONDS] = [20n, 1_000n]

const hex = (value: bigint) => `0x${value.toString(16)}`

type Base = 'a height' | 'pending' | 'safe' | 'finalized'

/** Where a simulation begins, and whether it validates. */
const PLACES: readonly { base: Base; validation: boolean }[] = [
  ...(['a height', 'pending'] as const).flatMap((base) =>
    [false, true].map((validation) => ({ base, validation })),
  ),
  { base: 'safe', validation: false },
  { base: 'finalized', validation: false },
]

/** At an old tag the contracts may not be there yet: overrides put them there, and nowhere else. */
async function probesAt(t: CaseContext, base: Base) {
  if (base === 'a height' || base === 'pending')
    return { ...(await t.scene(probeContracts)), placed: {} }
  const reply = await simulateReader(t.rpc, base)
  // Other cases tell of that; and not every node keeps the state of what is final.
  if ('error' in reply.body) notApplicable(`It simulates nothing at ${base}.`)
  const at = { forward: placedAddress('forward'), context: placedAddress('context') }
  const placed = { [at.forward]: PLACED[at.forward], [at.context]: PLACED[at.context] }
  return { ...at, placed }
}

/** Everything at once: overrides of state and block, traced transfers, and two calls of one sender. */
async function ask(
  { rpc }: CaseContext,
  { forward, context, placed }: Awaited<ReturnType<typeof probesAt>>,
  place: { base: Base; validation: boolean; nonce: bigint },
) {
  const latest = await getBlock(rpc, 'latest')
  const number = expectQuantity(latest.number, 'number') + BLOCKS
  const timestamp = expectQuantity(latest.timestamp, 'timestamp') + SECONDS
  const sent = { from: SENDER, ...GAS }
  const entry = {
    stateOverrides: { ...placed, [SENDER]: { balance: '0xde0b6b3a7640000', nonce: hex(NONCE) } },
    blockOverrides: { number: hex(number), timestamp: hex(timestamp) },
    calls: [
      { ...sent, to: forward, data: toWord(RECEIVER), value: '0x7', nonce: hex(place.nonce) },
      { ...sent, to: context, nonce: hex(place.nonce + 1n) },
    ],
  }
  const payload = {
    ...{ blockStateCalls: [entry], traceTransfers: true },
    ...(place.validation && { validation: true }),
  }
  const selector = place.base === 'a height' ? latest.number : place.base
  return { number, timestamp, reply: await rpc.call('eth_simulateV1', [payload, selector]) }
}

export const cases = defineCases([
  ...PLACES.map(
    ({ base, validation }, index): ConformanceCase => ({
      id: `rpc.simulate.together.0${index + 1}`,
      title: `Transfers and overrides of state and block, all at once, upon ${base}${validation ? ', with validation' : ''}`,
      area: 'simulate',
      rules: [
        ...['RPC-SIM-08', 'RPC-SIM-14', 'RPC-SIM-20', 'RPC-SIM-21', 'RPC-SIM-36'],
        ...(validation ? ['RPC-SIM-10'] : []),
      ],
      profiles: ['spec'],
      needs: ['rpc', 'driver'],
      rationale: 'Each is optional, and none is said to hold only where another one is left out.',
      async run(t) {
        const probes = await probesAt(t, base)
        const { number, timestamp, reply } = await ask(t, probes, {
          ...{ base, validation, nonce: NONCE },
        })
        const [block] = toBlocks(reply)
        const [moved, seen] = [callResult(block, 0), callResult(block, 1)]
        expectEqual([moved.status, seen.status], ['0x1', '0x1'], 'status of both calls')
        const moves = expectArray(moved.logs, 'calls[0].logs').map((each) => {
          const { topics, data } = expectObject(each, 'log')
          return [...expectArray(topics, 'topics'), data]
        })
        const { forward } = probes
        const expected = [
          [TRANSFER, toWord(SENDER), toWord(forward), toWord(7)],
          [TRANSFER, toWord(forward), toWord(RECEIVER), toWord(7)],
        ]
        expectEqual(moves, expected, 'calls[0].logs')
        const { NUMBER, TIMESTAMP } = readContext(seen.returnData as Hex)
        const header = {
          number: expectQuantity(block?.number, 'number'),
          timestamp: expectQuantity(block?.timestamp, 'timestamp'),
        }
        expectEqual(header, { number, timestamp }, 'result[0]')
        expectEqual({ number: NUMBER, timestamp: TIMESTAMP }, header, 'what calls[1] saw')
        if (!validation) return
        const other = await ask(t, probes, { base, validation, nonce: NONCE + 2n })
        if ('error' in other.reply.body) return
        const { status } = callResult(toBlocks(other.reply)[0], 0)
        expectThat(status === '0x0', 'an error, or status 0x0', status, 'nonce 9 of one at 7')
      },
    }),
  ),
])
