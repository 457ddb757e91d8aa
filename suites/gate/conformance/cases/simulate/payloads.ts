import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { CONTRACTS } from '../../payloads/accounts.ts'
import { judgeDrawn } from '../../payloads/judge-drawn.ts'
import { type Outcome, outcomesOf } from '../../payloads/outcomes-of.ts'
import { randomCall, randomPayload } from '../../payloads/random-payload.ts'
import { accountsOf, callOf, simulationOf } from '../../payloads/simulation-of.ts'
import { toWord } from '../../reads/eth-call.ts'
import { callResult, simulate } from '../../reads/simulate.ts'
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
      await takesReader(async () => {
        const [block] = await simulate(t.rpc, [{ stateOverrides: PLACED_READER, calls: [READ] }])
        return callResult(block, 0).returnData
      })
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
      logs: expectArray(logs, `${where}.logs`).map((log) => {
        const { address, topics, data } = expectObject(log, `${where}.logs[]`)
        return { address: String(address).toLowerCase(), topics, data }
      }),
    }
    expectEqual(answered, { ...outcome }, where)
  }
  const gas = outcomes.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  expectEqual(expectQuantity(block?.gasUsed, `${at}.gasUsed`), gas, `${at}.gasUsed`)
}
