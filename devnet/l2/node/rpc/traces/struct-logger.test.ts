import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { word } from '../testing/test-node.ts'
import { A, B, openTraceScene, type TraceScene } from './trace-scene.ts'

let scene: TraceScene
beforeAll(async () => {
  scene = await openTraceScene()
})
const trace: TraceScene['trace'] = (...params) => scene.trace(...params)
const traceCode: TraceScene['traceCode'] = (...params) => scene.traceCode(...params)

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
