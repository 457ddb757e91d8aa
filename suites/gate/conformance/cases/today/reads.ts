import { cannotJudge } from '../../case-failure.ts'
import { caseOfToday } from '../../case-of-today.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { assemble } from '../../probes/assembly.ts'
import { ethCall } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { simulate } from '../../reads/simulate.ts'
import { blockOfToday } from '../../scenes/todays-blocks.ts'
import { BASE_TIME, SLOT, TIMESTAMP_MS, timeOf } from '../../spec/base-time.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const METHOD_NOT_FOUND = -32601
/** Blocks that are simulated in a row: more than two seconds of them. */
const SIMULATED = 12
/** Creation code may be called with nobody as `to`: what it returns is what the call returns. */
const NUMBER_AND_TIME = assemble('NUMBER PUSH0 MSTORE TIMESTAMP 0x20 MSTORE 0x40 PUSH0 RETURN')
/** Of EIP-4788 and EIP-2935. */
const SYSTEM_CONTRACTS = {
  BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  HISTORY_STORAGE_ADDRESS: '0x0000f90827f1c53a10cb7a02335b175320002935',
}
const MOST_TRIES = 20

const lower = (value: unknown) => String(value).toLowerCase()

/**
 * What was answered at pending, with the newest block of before and of after: the block that was due next is
 * one of those from the one after `before` to the one after `after`.
 */
async function atPending<T>(t: CaseContext, ask: () => Promise<T>) {
  const before = await getBlock(t.rpc, 'latest', true)
  const answer = await ask()
  const after = await getBlock(t.rpc, 'latest', true)
  return { answer, first: timeOf(before) + SLOT, last: timeOf(after) + SLOT, before, after }
}

export const cases = defineCases([
  caseOfToday(
    {
      id: 'today.read.pending-block.01',
      title: 'A call at pending sees number and second of the block that is due next',
      rules: ['TODAY-RPC-08'],
      rationale: 'It runs on the state of latest, as if it were in the next block.',
    },
    async (t) => {
      const ask = () => ethCall(t.rpc, { data: NUMBER_AND_TIME }, 'pending')
      const { answer, first, last, before, after } = await atPending(t, ask)
      const [number, second] = [answer.slice(2, 66), answer.slice(66)].map((at) =>
        BigInt(`0x${at}`),
      )
      const [low, high] = [before, after].map((each) => expectQuantity(each.number, 'number') + 1n)
      expectWithin(number!, low!, high!, 'NUMBER at pending')
      expectWithin(second!, first / 1000n, last / 1000n, 'TIMESTAMP at pending')
      const due = first + SLOT * (number! - low!)
      expectEqual(second, due / 1000n, `TIMESTAMP at pending with NUMBER ${number}`)
    },
  ),
  caseOfToday(
    {
      id: 'today.read.pending-time.01',
      title: 'BaseTime at pending tells the milliseconds of the block that is due next',
      rules: ['TODAY-RPC-09'],
      rationale: 'Its slot is laid over the state of latest; five calls in a row are held to that.',
    },
    async (t) => {
      for (let call = 0; call < 5; call++) {
        const { answer, first, last } = await atPending(t, () =>
          ethCall(t.rpc, { to: BASE_TIME, data: TIMESTAMP_MS }, 'pending'),
        )
        expectWithin(BigInt(answer), first, last, 'timestampMs() at pending')
      }
    },
  ),
  caseOfToday(
    {
      id: 'today.read.pending-state.01',
      title: 'What is at pending is what is at latest: nothing is pre-confirmed',
      rules: ['TODAY-RPC-10'],
      rationale:
        'A balance and a slot that each block writes, between two equal answers at latest.',
    },
    async (t) => {
      const questions: [string, readonly unknown[]][] = [
        ['eth_getBalance', [L1_BLOCK]],
        ['eth_getStorageAt', [L1_BLOCK, '0x0']],
        ['eth_getStorageAt', [BASE_TIME, '0x1']],
      ]
      for (const [method, params] of questions) {
        const read = (tag: string) => t.rpc.result(method, [...params, tag])
        const { shown, latest } = await inOneBlock(t, read)
        expectEqual(shown, latest, `${method} at pending`)
      }
    },
  ),
  caseOfToday(
    {
      id: 'today.read.no-sync-send.01',
      title: 'eth_sendRawTransactionSync is gone',
      rules: ['TODAY-RPC-11'],
      rationale: 'A client that finds it waits for a pre-confirmation which nobody makes.',
    },
    async ({ rpc }) =>
      void expectError(
        await rpc.call('eth_sendRawTransactionSync', []),
        'eth_sendRawTransactionSync',
        METHOD_NOT_FOUND,
      ),
  ),
  caseOfToday(
    {
      id: 'today.read.simulated-time.01',
      title: 'Simulated blocks without a time have the seconds that their numbers are due at',
      rules: ['TODAY-RPC-12'],
      rationale: 'Twelve in a row on a known block: five to a second, beginning where it stands.',
    },
    async (t) => {
      const block = await blockOfToday(t)
      const asked = Array.from({ length: SIMULATED }, () => ({}))
      const simulated = await simulate(t.rpc, asked, {}, String(block.number))
      for (const [index, each] of simulated.entries()) {
        const away = BigInt(index) + 1n
        const at = `result[${index}]`
        expectEqual(expectQuantity(each.number, at), block.height + away, `${at}.number`)
        const due = (timeOf(block) + SLOT * away) / 1000n
        expectEqual(expectQuantity(each.timestamp, at), due, `${at}.timestamp`)
      }
    },
  ),
  caseOfToday(
    {
      id: 'today.read.simulated-equal.01',
      title: 'A simulated block may have the second of the one before, and no earlier one',
      rules: ['TODAY-RPC-13'],
      rationale: 'Before blocks of 200 ms an equal second was refused, too.',
    },
    async (t) => {
      const block = await blockOfToday(t)
      const time = (seconds: bigint) => ({ blockOverrides: { time: `0x${seconds.toString(16)}` } })
      const now = expectQuantity(block.timestamp, 'timestamp')
      const equal = await simulate(t.rpc, [time(now), time(now)], {}, String(block.number))
      for (const { timestamp } of equal) expectEqual(timestamp, block.timestamp, 'timestamp')
      for (const asked of [[time(now - 1n)], [time(now + 5n), time(now + 4n)]])
        expectError(
          await t.rpc.call('eth_simulateV1', [{ blockStateCalls: asked }, block.number]),
          `eth_simulateV1 with ${JSON.stringify(asked)}`,
        )
    },
  ),
  caseOfToday(
    {
      id: 'today.read.config.01',
      title: 'eth_config tells the precompiles of Azul, no blobs and two system contracts',
      rules: ['TODAY-RPC-14'],
      rationale: 'Tools ask it before they use a precompile.',
    },
    async ({ rpc }) => {
      const { current } = expectObject(await rpc.result('eth_config', []), 'result')
      const { precompiles, blobSchedule, systemContracts } = expectObject(current, 'current')
      const { P256VERIFY } = expectObject(precompiles, 'current.precompiles')
      expectEqual(lower(P256VERIFY), `0x${'100'.padStart(40, '0')}`, 'precompiles.P256VERIFY')
      for (const [name, value] of Object.entries(expectObject(blobSchedule, 'blobSchedule')))
        expectEqual(Number(value), 0, `current.blobSchedule.${name}`)
      const contracts = expectObject(systemContracts, 'current.systemContracts')
      expectEqual(lowered(contracts), SYSTEM_CONTRACTS, 'current.systemContracts')
    },
  ),
])

function lowered(addresses: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(addresses).map(([name, each]) => [name, lower(each)]))
}

function expectWithin(value: bigint, low: bigint, high: bigint, at: string): void {
  expectThat(low <= value && value <= high, `from ${low} to ${high}`, value, at)
}

/** Asks at pending between two looks at one newest block, which what is asked for stands in. */
async function inOneBlock<T>(t: CaseContext, read: (tag: string) => Promise<T>) {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const before = await t.rpc.result('eth_blockNumber', [])
    const latest = await read('latest')
    const shown = await read('pending')
    if ((await t.rpc.result('eth_blockNumber', [])) === before) return { shown, latest }
  }
  return cannotJudge('No three answers came within one block of 200 ms: the line is too slow.')
}
