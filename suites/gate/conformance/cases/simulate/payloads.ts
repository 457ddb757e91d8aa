import { numberToHex } from 'viem'
import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { judgeDrawn } from '../../payloads/judge-drawn.ts'
import { type Outcome, outcomesOf } from '../../payloads/outcomes-of.ts'
import type { PayloadHeader } from '../../payloads/payload.ts'
import {
  randomCall,
  randomHeaders,
  randomPayload,
  randomTransfers,
} from '../../payloads/random-payload.ts'
import { accountsOf, callOf, simulationOf } from '../../payloads/simulation-of.ts'
import { toWord } from '../../reads/eth-call.ts'
import { expectCall, expectOutcomes, logsOf, ranOutOfTime } from '../../reads/expect-outcomes.ts'
import { getBlock } from '../../reads/get-block.ts'
import { callReader, READ_FROM_OVERRIDE, simulateReader } from '../../reads/placed-reader.ts'
import { callResult, toBlocks } from '../../reads/simulate.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import { isTraced } from '../../spec/is-traced.ts'
import type { RpcReply } from '../../wire/json-rpc-client.ts'

/** Of all that is drawn; beyond that nobody knows what the node does. */
const MOST_LATE = 10

/** Tells answers that did not come in time: what they would have come to is unknown, so they are left out. */
function createPatience(): (reply: RpcReply) => boolean {
  let late = 0
  return (reply) => {
    if (!ranOutOfTime(reply)) return false
    late += 1
    if (late > MOST_LATE) cannotJudge(`The node gave up ${late} times for want of time.`)
    return true
  }
}

const drawOf = ({ draw, limit, note }: CaseContext) => ({ ...draw, limit, note })

/** How overrides are named inside an account is not stated. */
function expectReads(reply: RpcReply, read: (reply: RpcReply) => unknown): void {
  if (ranOutOfTime(reply)) cannotJudge('The node gave up for want of time.')
  if (read(reply) !== READ_FROM_OVERRIDE)
    notApplicable('The node takes no code and state in its overrides, as other nodes name them.')
}

const readBySimulation = async ({ rpc }: CaseContext) =>
  expectReads(await simulateReader(rpc), (reply) => callResult(toBlocks(reply)[0], 0).returnData)

export const cases = defineCases([
  {
    id: 'rpc.simulate.payloads.01',
    title: 'Simulations that are drawn at random come to what another EVM makes of them',
    area: 'simulate',
    rules: [
      'RPC-SIM-32',
      'RPC-SIM-33',
      'RPC-SIM-34',
      'RPC-SIM-35',
      'RPC-SIM-36',
      'RPC-SIM-37',
      'RPC-SIM-28',
      'RPC-SIM-15',
      'RPC-SIM-16',
      'RPC-SIM-17',
      'RPC-SIM-18',
      'RPC-SIM-19',
    ],
    needs: ['rpc'],
    // Deployed nodes give what a failed call reverts with in its error alone.
    profiles: ['spec'],
    timeout: 120_000,
    rationale:
      'All accounts are in the overrides, so @ethereumjs/evm knows status, gas, data and logs of each call.',
    async run(t) {
      await readBySimulation(t)
      const isLate = createPatience()
      await judgeDrawn(randomPayload, drawOf(t), async (payload) => {
        const expected = await outcomesOf(payload)
        const params = [{ blockStateCalls: simulationOf(payload) }, 'latest']
        const reply = await t.rpc.call('eth_simulateV1', params)
        if (isLate(reply)) return
        const blocks = toBlocks(reply)
        for (const [index, outcomes] of expected.entries()) {
          expectOutcomes(blocks[index], outcomes, `result[${index}]`)
        }
      })
    },
  },
  {
    id: 'rpc.simulate.payloads-transfers.01',
    title: 'With traceTransfers, ether that moves in drawn simulations is told at every depth',
    area: 'simulate',
    rules: ['RPC-SIM-08', 'RPC-SIM-36', 'RPC-SIM-37', 'RPC-SIM-13'],
    needs: ['rpc'],
    profiles: ['spec'],
    timeout: 120_000,
    rationale:
      '@ethereumjs/evm knows what moved, and what was taken back; the place among events is not stated.',
    async run(t) {
      await readBySimulation(t)
      const isLate = createPatience()
      await judgeDrawn(randomTransfers, { ...drawOf(t), share: 0.5 }, async (payload) => {
        const expected = await outcomesOf(payload)
        const traced = { blockStateCalls: simulationOf(payload), traceTransfers: true }
        const reply = await t.rpc.call('eth_simulateV1', [traced, 'latest'])
        if (isLate(reply)) return
        const blocks = toBlocks(reply)
        for (const [index, outcomes] of expected.entries()) {
          expectOutcomes(blocks[index], outcomes, `result[${index}]`)
          expectTransfers(blocks[index], outcomes, `result[${index}]`)
        }
      })
    },
  },
  ...[false, true].map(
    (hasOthers): ConformanceCase => ({
      id: `rpc.simulate.payloads-headers.0${hasOthers ? 2 : 1}`,
      title: `${hasOthers ? 'Gas limit, base fee, fee recipient and randomness' : 'Number and time'} of drawn blockOverrides are told, and read by all calls of their block`,
      area: 'simulate',
      rules: hasOthers
        ? ['RPC-SIM-20', 'RPC-SIM-36']
        : ['RPC-SIM-20', 'RPC-SIM-21', 'RPC-SIM-23', 'RPC-SIM-26', 'RPC-SIM-36'],
      ...(hasOthers && { level: 'should' }),
      needs: ['rpc'],
      profiles: ['spec'],
      timeout: 120_000,
      rationale: hasOthers
        ? 'The spec names number "and others"; execution-apis names these.'
        : 'Each block of one to three has its own, and code keeps, logs and returns what it reads.',
      async run(t) {
        await readBySimulation(t)
        const tip = await getBlock(t.rpc, 'latest')
        const number = expectQuantity(tip.number, 'number')
        const base = { number, timestamp: expectQuantity(tip.timestamp, 'timestamp') }
        const isLate = createPatience()
        await judgeDrawn(
          randomHeaders({ hasOthers, base }),
          { ...drawOf(t), share: 0.3 },
          async (payload) => {
            const expected = await outcomesOf(payload)
            const params = [{ blockStateCalls: simulationOf(payload) }, numberToHex(number)]
            const reply = await t.rpc.call('eth_simulateV1', params)
            if (isLate(reply)) return
            const blocks = toBlocks(reply)
            for (const [index, outcomes] of expected.entries()) {
              expectHeader(blocks[index], payload.blocks[index]!.header!, `result[${index}]`)
              expectOutcomes(blocks[index], outcomes, `result[${index}]`)
            }
          },
        )
      },
    }),
  ),
  {
    id: 'rpc.call.payloads.01',
    title: 'Calls that are drawn at random return, or revert with, what another EVM makes of them',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-05', 'RPC-CALL-07', 'RPC-CALL-13', 'RPC-CALL-14', 'ERR-03'],
    needs: ['rpc'],
    timeout: 120_000,
    rationale: 'All accounts are in the overrides, so @ethereumjs/evm knows what comes of a call.',
    async run(t) {
      await expectReads(await callReader(t.rpc), ({ body }) => body.result)
      const isLate = createPatience()
      await judgeDrawn(randomCall, drawOf(t), async (payload) => {
        const [[outcome]] = (await outcomesOf(payload)) as [[Outcome]]
        const call = callOf(payload.blocks[0]!.calls[0]!)
        const params = [call, 'latest', accountsOf(payload.contracts)]
        const reply = await t.rpc.call('eth_call', params)
        if (!isLate(reply)) expectCall(reply, outcome)
      })
    },
  },
])

/** Those of each call, without such from an account to itself, which some nodes tell. */
function expectTransfers(block: JsonObject | undefined, outcomes: readonly Outcome[], at: string) {
  for (const [index, { transfers }] of outcomes.entries()) {
    const where = `${at}.calls[${index}]`
    const traced = logsOf(callResult(block, index).logs, where).filter(isTraced)
    const moves = traced.map(({ topics, data }) => [...(topics as unknown[]), data])
    const expected = transfers.map(({ from, to, value }) => [
      ...[TRANSFER, toWord(from), toWord(to), toWord(value)],
    ])
    const isMove = ([, from, to]: readonly unknown[]) => from !== to
    expectEqual(moves.filter(isMove), expected, `transfers of ${where}`)
  }
}

function expectHeader(block: JsonObject | undefined, header: PayloadHeader, at: string) {
  const { number, timestamp, others } = header
  const quantity = (name: string) => expectQuantity(block?.[name], `${at}.${name}`)
  const main = { number: quantity('number'), timestamp: quantity('timestamp') }
  expectEqual(main, { number, timestamp }, at)
  if (!others) return
  const { gasLimit, baseFeePerGas, feeRecipient, prevRandao } = others
  const more = {
    ...{ gasLimit: quantity('gasLimit'), baseFeePerGas: quantity('baseFeePerGas') },
    ...{ feeRecipient: String(block?.miner).toLowerCase(), prevRandao: block?.mixHash },
  }
  expectEqual(more, { gasLimit, baseFeePerGas, feeRecipient, prevRandao }, at)
}
