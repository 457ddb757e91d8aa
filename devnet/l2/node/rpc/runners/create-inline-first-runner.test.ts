import { setImmediate } from 'node:timers/promises'
import { hexToBytes } from '@ethereumjs/util'
import { beforeAll, expect, test } from 'vitest'
import { createExecutor } from '#protocol/execution/create-executor'
import type { CallMessage } from '#protocol/execution/executor'
import type { Address, Hex } from '#protocol/types/bytes'
import { callEnvironment } from '../calls/call-environment.ts'
import { RPC_GAS_CAP } from '../calls/call-message.ts'
import type { CallRequest } from '../calls/call-request.ts'
import { profileValues } from '../profile-differences.ts'
import type { SimulationRequest } from '../simulate/simulation.ts'
import { createChainByHand } from '../testing/chain-by-hand.ts'
import { CONTEXT, CONTRACTS, ECHO, FORWARDER, LOOP, REVERTER } from '../testing/contracts.ts'
import { alice, CONFIG, word } from '../testing/test-node.ts'
import type { CallRunner, WaitingCallRunner } from './call-runner.ts'
import { createInlineCallRunner } from './create-inline-call-runner.ts'
import { createInlineFirstRunner } from './create-inline-first-runner.ts'
import { InlineTurns } from './inline-turns.ts'

const signal = new AbortController().signal
const IDENTITY: Address = `0x${'04'.padStart(40, '0')}`

let runner: CallRunner
/** Everything without a budget, as a worker would. */
let whole: WaitingCallRunner
let sentToWorkers: string[] = []
let areWorkersIdle = true
let simulation: (entries: object[], more?: object) => SimulationRequest
let request: (message: Partial<CallMessage> & { to: Address }) => CallRequest

beforeAll(async () => {
  const chain = await createChainByHand(CONFIG, { ...CONTRACTS, [alice]: { balance: 10n ** 20n } })
  const context = async () => ({
    executor: await createExecutor(CONFIG),
    store: chain.store,
    blockHash: async (number: bigint) => chain.blockByNumber(number)?.hash,
  })
  whole = createInlineCallRunner(await context())
  const noted =
    <T>(name: string, run: (request: never, signal: AbortSignal) => Promise<T>) =>
    (request: unknown, given: AbortSignal) => {
      sentToWorkers.push(name)
      return run(request as never, given)
    }
  runner = createInlineFirstRunner({
    ...(await context()),
    simulator: { executor: await createExecutor(CONFIG), turns: new InlineTurns() },
    workers: {
      call: noted('call', whole.call),
      estimateGas: noted('estimateGas', whole.estimateGas),
      simulate: noted('simulate', whole.simulate),
      standBy() {
        sentToWorkers.push('stand by')
        return areWorkersIdle
      },
    },
  })
  const { header } = chain.pending()!
  const base = chain.latest()
  simulation = (blockStateCalls, more = { returnFullTransactions: true }) => ({
    config: CONFIG,
    base,
    payload: { blockStateCalls, ...more },
    times: { genesis: { l2: { number: 0 }, l2Time: 0 }, blockTime: 2 },
    gasCap: RPC_GAS_CAP,
    profile: profileValues('spec'),
  })
  request = (message) => ({
    stateRoot: header.stateRoot,
    environment: callEnvironment(header),
    stateOverrides: [],
    message: { from: alice, data: new Uint8Array(0), value: 0n, gas: 30_000_000n, ...message },
  })
})

/** Runs it both ways; whether a worker was needed. */
async function needsWorker(asked: CallRequest, kind: 'call' | 'estimateGas' = 'call') {
  sentToWorkers = []
  const outcome = await runner[kind](asked, signal)
  const needed = sentToWorkers.length > 0
  expect(outcome).toEqual(await whole[kind](asked, signal))
  return needed
}

const bytes = (hex: Hex) => hexToBytes(hex)

test('given short calls, then no worker is asked and the answer is the same, GAS included', async () => {
  expect(await needsWorker(request({ to: ECHO, data: bytes('0x1234') }))).toBe(false)
  expect(await needsWorker(request({ to: CONTEXT }))).toBe(false)
  expect(await needsWorker(request({ to: REVERTER, data: bytes('0x08') }))).toBe(false)
  expect(await needsWorker(request({ to: ECHO, data: bytes('0x12') }), 'estimateGas')).toBe(false)
})

test('given a call that goes on and on, then it ends in a worker, and the next short one does not', async () => {
  expect(await needsWorker(request({ to: LOOP, data: bytes('0x0a0b0c0d') }))).toBe(true)
  expect(await needsWorker(request({ to: FORWARDER, data: bytes(word(LOOP)) }))).toBe(true)
  expect(await needsWorker(request({ to: LOOP }), 'estimateGas')).toBe(true)
  expect(await needsWorker(request({ to: CONTEXT }))).toBe(false)
})

test('given a function that took long, then the next call of it begins in a worker, until one is short', async () => {
  const loop = (gas: bigint) => request({ to: LOOP, gas, data: bytes('0x01020304') })
  expect(await needsWorker(loop(1_000_000n))).toBe(true)
  expect(await needsWorker(loop(100_000n))).toBe(true)
  expect(await needsWorker(loop(100_000n))).toBe(false)
})

test('given a call whose gas is within the budget, then it runs out of it here', async () => {
  expect(await needsWorker(request({ to: LOOP, gas: 100_000n }))).toBe(false)
})

test('given a precompile, or much to read in, then it is for a worker from the start', async () => {
  expect(await needsWorker(request({ to: IDENTITY, data: bytes('0x01') }))).toBe(true)
  expect(await needsWorker(request({ to: ECHO, data: new Uint8Array(20_000) }))).toBe(true)
  const storageKeys = Array.from({ length: 40 }, (_, key) => word(key))
  const accessList = [{ address: ECHO, storageKeys }]
  expect(await needsWorker(request({ to: ECHO, accessList }))).toBe(true)
})

test('given a small simulation, then it runs here; a long or large one in a worker', async () => {
  const needsWorker = async (calls: object[], more: object = {}) => {
    sentToWorkers = []
    const asked = simulation([{ calls, ...more }])
    expect(await runner.simulate(asked, signal)).toBe(await whole.simulate(asked, signal))
    return sentToWorkers.length > 0
  }
  const echo = { from: alice, to: ECHO, data: '0x1234' }
  const loop = (gas: number) => ({ from: alice, to: LOOP, gas: `0x${gas.toString(16)}` })
  expect(await needsWorker([echo, echo])).toBe(false)
  expect(await needsWorker([loop(150_000)])).toBe(false)
  expect(await needsWorker([loop(150_000), loop(150_000)])).toBe(false)
  expect(await needsWorker(Array(128).fill(echo))).toBe(false)
  expect(await needsWorker(Array(129).fill(echo))).toBe(true)
  expect(await needsWorker([echo, loop(400_000)])).toBe(true)
  // Each is small, but not all together.
  expect(await needsWorker(Array(20).fill({ ...echo, data: `0x${'00'.repeat(8_000)}` }))).toBe(true)
  const stateOverrides = { [ECHO]: { code: '0x00' } }
  expect(await needsWorker([echo], { stateOverrides })).toBe(true)
  const data = `0x${'00'.repeat(20_000)}`
  for (const more of [{ data }, { input: data, data: undefined }]) {
    expect(await needsWorker([{ ...echo, ...more }])).toBe(true)
  }
  const storageKeys = Array.from({ length: 40 }, (_, key) => word(key))
  expect(await needsWorker([{ ...echo, accessList: [{ address: ECHO, storageKeys }] }])).toBe(true)
  expect(await needsWorker([{ ...echo, accessList: [{ address: ECHO, storageKeys: [] }] }])).toBe(
    false,
  )
})

test('given a simulation that shows its transactions by hash, then a thousand calls run here, and twenty million gas', async () => {
  const needsWorker = async (gas: number, ...blocks: number[]) => {
    sentToWorkers = []
    // Whatever it has, its opcodes use it up.
    const call = { from: alice, to: LOOP, gas: `0x${(21_000 + gas).toString(16)}` }
    const asked = simulation(
      blocks.map((calls) => ({ calls: Array(calls).fill(call) })),
      {},
    )
    expect(await runner.simulate(asked, signal)).toBe(await whole.simulate(asked, signal))
    return sentToWorkers.length > 0
  }
  expect(await needsWorker(100, 1_000)).toBe(false)
  expect(await needsWorker(100, 1_001)).toBe(true)
  expect(await needsWorker(100, 500, 501)).toBe(true)
  expect(await needsWorker(100, ...Array(256).fill(1))).toBe(false)
  expect(await needsWorker(200_000, 100)).toBe(false)
  expect(await needsWorker(200_000, 101)).toBe(true)
  expect(await needsWorker(200_000, 50, 51)).toBe(true)
  expect(await needsWorker(200_000, 100)).toBe(false)
})

test('given a simulation of many calls or blocks, then others have their turn in the midst of it', async () => {
  const turnsDuring = async (...blocks: number[]) => {
    const calls = (count: number) => Array(count).fill({ from: alice, to: ECHO, data: '0x12' })
    const entries = blocks.map((count) => ({ calls: calls(count) }))
    let isOver = false
    const simulated = runner.simulate(simulation(entries, {}), signal).then(() => {
      isOver = true
    })
    let turns = 0
    for (; !isOver; turns++) {
      await setImmediate()
      if (!isOver) {
        // A call is answered at once, and not when the simulation has ended.
        expect(runner.call(request({ to: ECHO }), signal)).not.toBeInstanceOf(Promise)
      }
    }
    await simulated
    return turns
  }
  const short = await turnsDuring(10)
  // A call takes as long as 10,000 gas, a block as 20,000, and a turn has a million.
  expect((await turnsDuring(1_000)) - short).toBeGreaterThanOrEqual(10)
  expect((await turnsDuring(...Array(200).fill(0))) - short).toBeGreaterThanOrEqual(4)
})

test('given a simulation while another runs here, then it runs in a worker beside it where one is idle and it is worth the way', async () => {
  const beside = async (calls: number, isIdle: boolean) => {
    areWorkersIdle = isIdle
    sentToWorkers = []
    const echoes = Array(calls).fill({ from: alice, to: ECHO, data: '0x12' })
    const asked = simulation([{ calls: echoes }], {})
    const answers = await Promise.all([1, 2].map(() => runner.simulate(asked, signal)))
    const right = await whole.simulate(asked, signal)
    expect(answers).toEqual([right, right])
    return sentToWorkers
  }
  expect(await beside(100, true)).toEqual(['stand by', 'simulate'])
  expect(await beside(100, false)).toEqual(['stand by'])
  expect(await beside(10, true)).toEqual([])
})

test.each([
  [undefined],
  [{}],
  [{ blockStateCalls: [1, { calls: [{ to: 7 }] }] }],
  [{ blockStateCalls: [{ calls: 'none' }] }],
  [{ blockStateCalls: [{ calls: [{ accessList: [{ storageKeys: 3 }] }] }] }],
])('given %j, which is no simulation, then it is told so here', async (payload) => {
  sentToWorkers = []
  const asked = { ...simulation([]), payload }
  await expect(runner.simulate(asked, signal)).rejects.toThrow('Invalid params')
  expect(sentToWorkers).toEqual([])
})

test('given a short call, then it is answered at once, but not in the middle of another request', async () => {
  const short = request({ to: ECHO, data: bytes('0x0badcafe') })
  const answer = await whole.call(short, signal)
  expect(runner.call(short, signal)).toEqual(answer)
  const estimating = runner.estimateGas(short, signal)
  const meanwhile = runner.call(short, signal)
  expect(meanwhile).toBeInstanceOf(Promise)
  expect(await meanwhile).toEqual(answer)
  await estimating
  expect(runner.call(short, signal)).toEqual(answer)
})

test('given a call that may not be, then the reason is the same', async () => {
  const poor = request({ to: ECHO, from: `0x${'99'.repeat(20)}`, value: 1n })
  const reasons = await Promise.all(
    [runner, whole].map(async (it) => {
      try {
        return await it.call(poor, signal)
      } catch (error) {
        return (error as Error).message
      }
    }),
  )
  expect(reasons[0]).toBe(reasons[1])
  expect(reasons[0]).toMatch(/balance/)
})
