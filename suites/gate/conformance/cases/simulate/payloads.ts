import { numberToHex } from 'viem'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { CONTRACTS } from '../../payloads/accounts.ts'
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
import { getBlock } from '../../reads/get-block.ts'
import { callResult, simulate } from '../../reads/simulate.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import { isTraced } from '../../spec/is-traced.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

/** Returns its first slot. */
const READER = { code: '0x5f545f5260205ff3', state: { [toWord(0)]: toWord(7) } }
const PLACED_READER = { [CONTRACTS[0]!]: READER }
const READ = { to: CONTRACTS[0] }

/** How overrides are named inside an account is not stated. */
async function takesReader(read: () => Promise<unknown>): Promise<void> {
  if ((await read()) !== toWord(7))
    notApplicable('The node takes no code and state in its overrides, as other nodes name them.')
}

async function readBySimulation({ rpc }: CaseContext): Promise<unknown> {
  const [block] = await simulate(rpc, [{ stateOverrides: PLACED_READER, calls: [READ] }])
  return callResult(block, 0).returnData
}

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
      await takesReader(() => readBySimulation(t))
      await judgeDrawn(randomPayload, t.draw, async (payload) => {
        const expected = await outcomesOf(payload)
        const blocks = await simulate(t.rpc, simulationOf(payload))
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
      await takesReader(() => readBySimulation(t))
      await judgeDrawn(randomTransfers, { ...t.draw, share: 0.5 }, async (payload) => {
        const expected = await outcomesOf(payload)
        const traced = { traceTransfers: true }
        const blocks = await simulate(t.rpc, simulationOf(payload), traced)
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
        await takesReader(() => readBySimulation(t))
        const tip = await getBlock(t.rpc, 'latest')
        const number = expectQuantity(tip.number, 'number')
        const base = { number, timestamp: expectQuantity(tip.timestamp, 'timestamp') }
        await judgeDrawn(
          randomHeaders({ hasOthers, base }),
          { ...t.draw, share: 0.3 },
          async (payload) => {
            const expected = await outcomesOf(payload)
            const on = numberToHex(number)
            const blocks = await simulate(t.rpc, simulationOf(payload), {}, on)
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
      await takesReader(async () => {
        const { body } = await t.rpc.call('eth_call', [READ, 'latest', PLACED_READER])
        return body.result
      })
      await judgeDrawn(randomCall, t.draw, async (payload) => {
        const [[outcome]] = (await outcomesOf(payload)) as [[Outcome]]
        const call = callOf(payload.blocks[0]!.calls[0]!)
        await expectCall(t, [call, 'latest', accountsOf(payload.contracts)], outcome)
      })
    },
  },
])

async function expectCall(t: CaseContext, params: unknown[], outcome: Outcome): Promise<void> {
  const reply = await t.rpc.call('eth_call', params)
  if (outcome.status === '0x1')
    return expectEqual(resultOf(reply, 'eth_call'), outcome.returnData, 'result')
  const { data } = expectError(reply, 'reply')
  if (outcome.returnData !== '0x') return expectEqual(data, outcome.returnData, 'error.data')
  expectThat(data === undefined || data === null || data === '0x', 'no data', data, 'error.data')
}

function expectOutcomes(block: JsonObject | undefined, outcomes: readonly Outcome[], at: string) {
  expectArray(block?.calls, `${at}.calls`, outcomes.length)
  for (const [index, outcome] of outcomes.entries()) {
    const where = `${at}.calls[${index}]`
    const { status, gasUsed, returnData, logs = [] } = callResult(block, index)
    const answered = {
      status,
      gasUsed: expectQuantity(gasUsed, `${where}.gasUsed`),
      returnData: expectBytes(returnData, `${where}.returnData`),
      logs: logsOf(logs, where).filter((log) => !isTraced(log)),
    }
    const { transfers: _, ...expected } = outcome
    expectEqual(answered, expected, where)
  }
  const gas = outcomes.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  expectEqual(expectQuantity(block?.gasUsed, `${at}.gasUsed`), gas, `${at}.gasUsed`)
}

function logsOf(logs: unknown, where: string): JsonObject[] {
  return expectArray(logs, `${where}.logs`).map((log) => {
    const { address, topics, data } = expectObject(log, `${where}.logs[]`)
    return { address: String(address).toLowerCase(), topics, data }
  })
}

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
