import { concat, encodeErrorResult, type Hex, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO, LOGGER, REVERTER } from '../testing/contracts.ts'
import { bob, word } from '../testing/test-node.ts'
import { A, B, openTraceScene, type TraceScene } from './trace-scene.ts'

const ABI = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const

let scene: TraceScene
beforeAll(async () => {
  scene = await openTraceScene()
})
const trace: TraceScene['trace'] = (...params) => scene.trace(...params)
const callTrace = (code: Hex, rest = {}, tracerConfig = {}) =>
  scene.traceCode(code, { tracer: 'callTracer', tracerConfig }, rest)

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

  test.each([
    ['at the end of the code', ''],
    ['in its middle', '50'],
  ])('given a call without the value %s, then it has failed before it began', async (_, rest) => {
    const root = await callTrace(`0x5f5f5f5f600773${B.slice(2)}612710f1${rest as ''}`)
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

  test('given logs of an inner frame that fails, then they do not count', async () => {
    const code: Hex = `0x5f5f5f5f5f73${B.slice(2)}612710f15f5fa0`
    const root = await callTrace(code, { b: '0x5f5fa05f5ffd' }, { withLog: true })
    expect(root.calls[0]).not.toHaveProperty('logs')
    expect(root.logs).toEqual([
      { address: A, topics: [], data: '0x', index: '0x0', position: '0x1' },
    ])
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
  test('given noopTracer, then it says nothing; given 4byteTracer, then which selectors were called', async () => {
    expect(await trace({ to: ECHO, data: '0x12345678ff' }, { tracer: 'noopTracer' })).toEqual({})
    expect(await trace({ to: ECHO, data: '0x12345678ff' }, { tracer: '4byteTracer' })).toEqual({
      '0x12345678-1': 1,
    })
  })
})
