import { concat, encodeErrorResult, type Hex, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO, LOGGER, LOOP, REVERTER } from '../testing/contracts.ts'
import { bob, createTestNode, errorOf, type TestNode, word } from '../testing/test-node.ts'

/** Contracts of a test's own, put there by state overrides. */
const [A, B]: [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const ABI = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const

/** The members these tests look into. */
interface Trace extends Record<string, unknown> {
  structLogs: { op: string; depth: number; refund?: number }[]
  calls: { logs?: unknown[] }[]
}

let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
})
const trace = (call: object, options: object = {}): Promise<Trace> =>
  node.rpc('debug_traceCall', { from: bob, gas: '0x186a0', ...call }, 'latest', options)
/** A call of A, whose code is given, and B's. */
const traceCode = (code: Hex, options: object, { call = {}, b = '0x', balance = '0x0' } = {}) =>
  trace(
    { to: A, ...call },
    { stateOverrides: { [A]: { code, balance }, [B]: { code: b } }, ...options },
  )
const callTrace = (code: Hex, rest = {}, tracerConfig = {}) =>
  traceCode(code, { tracer: 'callTracer', tracerConfig }, rest)

describe('the struct logger', () => {
  test('given a store, then each step has gas, cost, stack and storage (EIP-2929, EIP-3529)', async () => {
    // PUSH1 1, PUSH1 0, SSTORE; the end of the code is a STOP.
    expect(await traceCode('0x6001600055', {})).toEqual({
      gas: 21_000 + 3 + 3 + 22_100,
      failed: false,
      returnValue: '0x',
      structLogs: [
        { pc: 0, op: 'PUSH1', gas: 79_000, gasCost: 3, depth: 1, stack: [] },
        { pc: 2, op: 'PUSH1', gas: 78_997, gasCost: 3, depth: 1, stack: ['0x1'] },
        {
          pc: 4,
          op: 'SSTORE',
          gas: 78_994,
          gasCost: 22_100,
          depth: 1,
          stack: ['0x1', '0x0'],
          storage: { [word(0)]: word(1) },
        },
        { pc: 5, op: 'STOP', gas: 56_894, gasCost: 0, depth: 1, stack: [] },
      ],
    })
  })

  test('given options, then memory and return data are there, stack and storage not', async () => {
    // Calls B, which returns one word; then MLOAD of word 0.
    const code: Hex = `0x602060005f5f73${B.slice(2)}5afa5f51`
    const options = {
      enableMemory: true,
      enableReturnData: true,
      disableStack: true,
      disableStorage: true,
    }
    const { structLogs } = await traceCode(code, options, { b: '0x602a5f5260205ff3' })
    const inner = structLogs.find(({ depth }) => depth === 2)!
    expect(inner).toEqual({ pc: 0, op: 'PUSH1', gas: expect.any(Number), gasCost: 3, depth: 2 })
    expect(structLogs.at(-1)).toMatchObject({
      op: 'STOP',
      memory: [word(42)],
      returnData: word(42),
    })
    expect(structLogs.some((log) => 'stack' in log || 'storage' in log)).toBe(false)
  })

  test('given a call, then its cost holds what it passes on; given a creation, it does not', async () => {
    const called = await traceCode(`0x5f5f5f5f5f73${B.slice(2)}613039f1`, {}, { b: '0x00' })
    const call = called.structLogs.find(({ op }) => op === 'CALL')
    expect(call).toMatchObject({ gasCost: 2_600 + 12_345 })
    const created = await traceCode('0x5f5f5ff0', {})
    const create = created.structLogs.find(({ op }) => op === 'CREATE')
    expect(create).toMatchObject({ gasCost: 32_000 })
  })

  test('given a step that cannot run, then it says why', async () => {
    const { structLogs, failed, returnValue } = await traceCode('0x01', {})
    expect({ structLogs, failed, returnValue }).toEqual({
      failed: true,
      returnValue: '0x',
      structLogs: [
        {
          pc: 0,
          op: 'ADD',
          gas: 79_000,
          gasCost: 3,
          depth: 1,
          error: 'stack underflow',
          stack: [],
        },
      ],
    })
  })

  test('given a cleared slot, then the refund counts on in inner frames', async () => {
    // SSTORE(0, 0) over 1, then STATICCALL of B.
    const code: Hex = `0x5f5f555f5f5f5f73${B.slice(2)}5afa`
    const state = { [word(0)]: word(1) }
    const { structLogs } = await trace(
      { to: A },
      { stateOverrides: { [A]: { code, state }, [B]: { code: '0x5b' } } },
    )
    const inner = structLogs.filter(({ depth }) => depth === 2)
    expect(inner.map(({ refund }) => refund)).toEqual([4_800, 4_800])
  })

  test('given a limit, then no more steps are told of, and the call still ends', async () => {
    const { structLogs, gas } = await traceCode('0x6001600055', { limit: 2 })
    expect(structLogs).toHaveLength(2)
    expect(gas).toBe(43_106)
  })
})

describe('callTracer', () => {
  test('given a revert with a reason, then it is told, with the data', async () => {
    const data = encodeErrorResult({ abi: ABI, errorName: 'Error', args: ['no way'] })
    expect(await trace({ to: REVERTER, data }, { tracer: 'callTracer' })).toEqual({
      type: 'CALL',
      from: bob,
      to: REVERTER,
      gas: '0x186a0',
      gasUsed: expect.stringMatching(/^0x/),
      value: '0x0',
      input: data,
      output: data,
      error: 'execution reverted',
      revertReason: 'no way',
    })
  })

  test('given calls of all kinds, then each has its sender, its value or none', async () => {
    const call = (op: string, value = '') => `5f5f5f5f${value}73${B.slice(2)}612710${op}50`
    const code: Hex = `0x${call('f1', '6003')}${call('f2', '6004')}${call('f4')}${call('fa')}`
    const root = await callTrace(code, { call: { value: '0x9' }, b: '0x00' })
    expect(root).toMatchObject({ type: 'CALL', value: '0x9' })
    const common = { from: A, to: B, gasUsed: '0x0', input: '0x' }
    // 10,000, and the stipend where there is value.
    expect(root.calls).toEqual([
      { ...common, type: 'CALL', value: '0x3', gas: '0x300c' },
      { ...common, type: 'CALLCODE', value: '0x4', gas: '0x300c' },
      { ...common, type: 'DELEGATECALL', value: '0x9', gas: '0x2710' },
      { ...common, type: 'STATICCALL', gas: '0x2710' },
    ])
  })

  test('given a call without the value, then it has failed before it began', async () => {
    const root = await callTrace(`0x5f5f5f5f600773${B.slice(2)}612710f1`)
    expect(root.error).toBeUndefined()
    expect(root.calls).toMatchObject([
      { type: 'CALL', to: B, gas: '0x300c', gasUsed: '0x0', value: '0x7' },
    ])
    expect(root.calls[0]).toMatchObject({ error: 'insufficient balance for transfer' })
  })

  test('given a creation, then it has the new address, code as output, and none of both if it fails', async () => {
    // Init code: RETURN one zero byte; or INVALID.
    const good = '60015ff3'
    const root = await callTrace(`0x63${good}5f526004601c5ff05060fe5f5360015f5ff0`)
    expect(root.calls).toMatchObject([
      { type: 'CREATE', from: A, input: `0x${good}`, output: '0x00', value: '0x0' },
      { type: 'CREATE', from: A, input: '0xfe', error: 'invalid opcode: INVALID' },
    ])
    expect(root.calls[0]).toHaveProperty('to')
    expect(root.calls[1]).not.toHaveProperty('to')
    expect(root.calls[1]).not.toHaveProperty('output')
  })

  test('given a selfdestruct, then it is a frame with the balance', async () => {
    const root = await callTrace(`0x73${B.slice(2)}ff`, { balance: '0x1234' })
    expect(root.calls).toEqual([
      {
        type: 'SELFDESTRUCT',
        from: A,
        to: B,
        gas: '0x0',
        gasUsed: '0x0',
        input: '0x',
        value: '0x1234',
      },
    ])
  })

  test('given logs, then they have data, topics and their place among calls', async () => {
    // LOG1, a call of LOGGER with topics 7 and 8, LOG0 of one byte.
    const code: Hex = concat([
      '0x60055f5fa1',
      '0x60075f52600860205260635f60605f5f73',
      LOGGER,
      '0x5af160015fa0',
    ])
    const root = await callTrace(code, {}, { withLog: true })
    expect(root.logs).toEqual([
      { address: A, topics: [word(5)], data: '0x', index: '0x0', position: '0x0' },
      { address: A, topics: [], data: '0x00', index: '0x2', position: '0x1' },
    ])
    expect(root.calls[0]!.logs).toMatchObject([
      { address: LOGGER, topics: [word(7), word(8)], index: '0x1', position: '0x0' },
    ])
    const onlyTop = await callTrace(code, {}, { withLog: true, onlyTopCall: true })
    expect(onlyTop).not.toHaveProperty('calls')
    expect(onlyTop.logs).toHaveLength(2)
  })

  test('given logs of what has failed, then they never were', async () => {
    const root = await callTrace(`0x5f5fa05f5ffd`, {}, { withLog: true })
    expect(root).toMatchObject({ error: 'execution reverted' })
    expect(root).not.toHaveProperty('logs')
  })

  test('given a precompile that refuses its input, then it has not reverted', async () => {
    const call = { to: pad('0x6', { size: 20 }), data: `0x${'ff'.repeat(64)}` }
    expect(await trace(call, { tracer: 'callTracer' })).toMatchObject({
      error: 'precompile failed',
      gasUsed: '0x186a0',
    })
  })
})

describe('the other tracers', () => {
  test('noopTracer says nothing, 4byteTracer which selectors were called', async () => {
    expect(await trace({ to: ECHO, data: '0x12345678ff' }, { tracer: 'noopTracer' })).toEqual({})
    expect(await trace({ to: ECHO, data: '0x12345678ff' }, { tracer: '4byteTracer' })).toEqual({
      '0x12345678-1': 1,
    })
  })
})

describe('options', () => {
  test('given overrides of the block, then the call sees them', async () => {
    const options = { tracer: 'callTracer', blockOverrides: { number: '0x7b' } }
    expect(await traceCode('0x435f5260205ff3', options)).toMatchObject({ output: word(123) })
  })

  test('given a trace that would become too large, then it is refused', async () => {
    const call = { to: LOOP, gas: '0x2faf080' }
    const options = { disableStack: true, timeout: '1m' }
    expect(await errorOf(trace(call, options))).toMatchObject({
      code: -32000,
      message: 'trace too large',
    })
  })

  test.each([
    ['a tracer that is not there', { tracer: 'jsTracer' }, -32000],
    ['a program', { tracer: '{ step: function() {} }' }, -32000],
    ['a tracer that is no string', { tracer: 7 }, -32602],
    ['a flag that is none', { enableMemory: 'yes' }, -32602],
    ['a limit below zero', { limit: -1 }, -32602],
    ['a timeout that is no duration', { timeout: '5 seconds' }, -32602],
    ['a transaction index', { txIndex: '0x0' }, -32602],
    [
      'diffMode with includeEmpty',
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true, includeEmpty: true } },
      -32602,
    ],
  ])('given %s, then it is refused', async (_, options, code) => {
    expect(await errorOf(trace({ to: ECHO }, options))).toMatchObject({ code })
  })

  test('given a caller that has left, then the trace ends', async () => {
    const caller = new AbortController()
    const call = { from: bob, to: LOOP, gas: '0x2faf080' }
    const params = [call, 'latest', { tracer: 'callTracer', timeout: '1m' }]
    const { signal } = caller
    const traced = node.methods.debug_traceCall!(params, { signal }) as Promise<unknown>
    caller.abort(new Error('gone'))
    await expect(traced).rejects.toThrow('gone')
  })
})
