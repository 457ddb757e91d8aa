import { readdirSync, readFileSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { hexToBytes } from '@ethereumjs/util'
import { afterAll, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { callEnvironment } from '../calls/call-environment.ts'
import type { CallRequest } from '../calls/call-request.ts'
import { createInlineCallRunner } from '../runners/create-inline-call-runner.ts'
import { BLOCKHASH, CONTRACTS, ECHO, LOOP, STORAGE } from '../testing/contracts.ts'
import { pair, setSlot } from '../testing/simulation-scene.ts'
import { alice, CONFIG, createTestNode, errorOf, word } from '../testing/test-node.ts'
import { createWorkerCallRunner } from './worker-call-runner.ts'

const resources = new ResourceStack()
afterAll(() => resources.stop())
const signal = new AbortController().signal

const node = await createTestNode()
await node.chain.mine(await node.sign({ to: STORAGE, data: pair(1, 11) }))
await node.chain.mine()

const clock = new VirtualClock()
const blockHash = (number: bigint) => node.chain.blockHash(number)
const workers = resources.add(
  createWorkerCallRunner({ config: CONFIG, store: node.chain.store, blockHash, clock }),
)
const inline = createInlineCallRunner({
  executor: await createExecutor(CONFIG),
  store: node.chain.store,
  blockHash,
})

function request(
  to: Address,
  data: Hex,
  fields: { gas?: bigint; stateRoot?: Hash } = {},
): CallRequest {
  const { header } = node.chain.latest()
  const { gas = 1_000_000n, stateRoot = header.stateRoot } = fields
  return {
    stateRoot,
    environment: callEnvironment(header),
    message: { from: alice, to, data: hexToBytes(data), value: 0n, gas },
    stateOverrides: [],
  }
}

test.each<[string, CallRequest]>([
  ['code', request(ECHO, '0x1234')],
  ['storage', request(STORAGE, word(1))],
  ['ancestor hashes', request(BLOCKHASH, word(1))],
  ['all its gas', request(LOOP, '0x')],
])(
  'given a call that needs %s, then a worker answers what this thread answers',
  async (_, call) => {
    expect(await workers.call(call, signal)).toEqual(await inline.call(call, signal))
    expect(await workers.estimateGas(call, signal)).toEqual(await inline.estimateGas(call, signal))
  },
)

test('given a call that cannot be paid, then the refusal keeps its class, code and numbers', async () => {
  const call = request(ECHO, '0x')
  call.message.value = 10n ** 30n
  const refusal = await inline.call(call, signal).catch((error) => error)
  expect(await workers.call(call, signal).catch((error) => error)).toEqual(refusal)
  expect(refusal).toMatchObject({ code: 'INSUFFICIENT_FUNDS', fields: { want: 10n ** 30n } })
})

test('given a simulation over the JSON-RPC method, then it runs in a worker, too', async () => {
  const there = await createTestNode({ chain: node.chain, runner: workers })
  const payload = {
    blockStateCalls: [{ calls: [setSlot(5, 6)] }, { calls: [{ to: STORAGE, data: word(5) }] }],
  }
  const simulated = await there.rpc('eth_simulateV1', payload, 'latest')
  expect(simulated).toEqual(await node.rpc('eth_simulateV1', payload, 'latest'))
  expect(simulated).toMatchObject([{}, { calls: [{ returnData: word(6) }] }])
})

test('given traces, a block and its witness, then workers tell what this thread tells', async () => {
  const options = { chain: node.chain, runner: workers }
  const there = await createTestNode({ ...options, tracer: workers })
  const here = await createTestNode(options)
  const latest = node.chain.latest().hash
  for (const [method, ...params] of [
    ['debug_traceBlockByNumber', '0x1', { tracer: 'prestateTracer' }],
    ['debug_traceBlockByNumber', '0x1', {}],
    ['debug_traceCall', { to: STORAGE, data: word(1) }, 'latest', { tracer: 'callTracer' }],
    ['eth_createAccessList', { to: STORAGE, data: word(1) }, 'latest'],
    ['debug_executionWitness', '0x1'],
    ['debug_executionWitness', latest],
  ] as const) {
    expect(await there.rpc(method, ...params)).toEqual(await here.rpc(method, ...params))
  }
})

test('given a worker that knows the code already, then the witness of a block holds it again', async () => {
  const there = await createTestNode({ chain: node.chain, runner: workers, tracer: workers })
  for (const _ of [1, 2]) {
    const { codes } = await there.rpc('debug_executionWitness', '0x1')
    expect(codes).toContain(CONTRACTS[STORAGE]!.code)
  }
})

test('given a state that nobody has, then it is a clear error', async () => {
  const call = workers.call(request(ECHO, '0x', { stateRoot: word(99) }), signal)
  expect(await errorOf(call)).toMatchObject({ code: -32000, message: 'state is not available' })
})

test('given an endless call, when its time is over, then it is -32016 and its thread is free again', async () => {
  const endless = workers.call(request(LOOP, '0x', { gas: 10n ** 15n }), signal)
  const failure = errorOf(endless)
  // The thread that took it is busy; another one answers.
  await workers.call(request(ECHO, '0x'), signal)
  await clock.advance(5_000)
  expect(await failure).toMatchObject({ code: -32016, message: 'execution aborted (timeout = 5s)' })
  const answers = [1, 2, 3].map((data) => workers.call(request(ECHO, word(data)), signal))
  expect((await Promise.all(answers)).map(({ output }) => output.at(-1))).toEqual([1, 2, 3])
})

test('given a thread that dies in the middle of a call, then the error says so, and the next call is answered', async () => {
  const endless = errorOf(workers.call(request(LOOP, '0x', { gas: 10n ** 15n }), signal))
  workers.kill()
  expect(await endless).toMatchObject({
    code: -32603,
    message: expect.stringMatching(/^The worker thread that runs this call has died/),
  })
  const { output } = await workers.call(request(ECHO, word(7)), signal)
  expect(output.at(-1)).toBe(7)
})

test('given a thread that stands still, when its call is out of time, then it is -32016, and once it goes on calls are answered', async () => {
  // Its thread is ready, so that the next call begins at once.
  await workers.call(request(ECHO, '0x'), signal)
  const goOn = workers.hang()
  const stuck = errorOf(workers.call(request(ECHO, word(1)), signal))
  await clock.advance(5_000)
  expect(await stuck).toMatchObject({ code: -32016 })
  goOn()
  const { output } = await workers.call(request(ECHO, word(7)), signal)
  expect(output.at(-1)).toBe(7)
})

test('given a runner that is stopped in the middle of a call, then the call ends and no thread is left', async () => {
  const alive = new Set<Worker>()
  const count = (worker: Worker) => {
    alive.add(worker)
    worker.once('exit', () => alive.delete(worker))
  }
  process.on('worker', count)
  const runner = createWorkerCallRunner({
    config: CONFIG,
    store: node.chain.store,
    blockHash,
    clock,
  })
  await runner.call(request(ECHO, '0x'), signal)
  const endless = errorOf(runner.call(request(LOOP, '0x', { gas: 10n ** 15n }), signal))
  expect(alive.size).toBe(1)
  await runner.stop()
  process.off('worker', count)
  expect(await endless).toMatchObject({ code: -32603 })
  expect(alive.size).toBe(0)
})

/** Niceness of each thread of this process, by its id in the kernel: 19th field of its `stat` (proc(5)). */
function niceness(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((id) => {
      const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').replace(/^.*\) /, '')
      return [id, Number(fields.split(' ')[16])]
    }),
  )
}

test.skipIf(process.platform !== 'linux')(
  'given no thread yet, when somebody waits for one, then it gives way to flashblocks with its first call, and not while it is loaded',
  async () => {
    const before = niceness()
    // Not the first of the list: that is sorted as text.
    const own = before.get(String(process.pid))
    const lower = () =>
      [...niceness()].filter(([id, nice]) => !before.has(id) && nice > own!).length
    const runner = createWorkerCallRunner({
      config: CONFIG,
      store: node.chain.store,
      blockHash,
      clock,
    })
    await runner.ready()
    expect(niceness().size).toBeGreaterThan(before.size)
    expect(lower()).toBe(0)
    await runner.call(request(ECHO, '0x'), signal)
    expect(lower()).toBe(1)
    await runner.stop()
  },
)
