import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO, LOOP } from '../../testing/contracts.ts'
import { bob, createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'
import { openTraceScene, type TraceScene } from '../../traces/trace-scene.ts'

let scene: TraceScene
beforeAll(async () => {
  scene = await openTraceScene()
})
const trace: TraceScene['trace'] = (...params) => scene.trace(...params)
const traceCode: TraceScene['traceCode'] = (...params) => scene.traceCode(...params)

describe('BASEFEE of a call that names no fee', () => {
  const A: Hex = `0x${'a1'.repeat(20)}`
  const seenBy = async ({ rpc }: TestNode, fees: object) => {
    const overrides = (code: Hex) => ({ [A]: { code } })
    const call = { from: bob, to: A, gas: '0x186a0', ...fees }
    const traced: { output: Hex } = await rpc('debug_traceCall', call, 'latest', {
      tracer: 'callTracer',
      stateOverrides: overrides('0x485f5260205ff3'),
    })
    const list: { accessList: { storageKeys: Hex[] }[] } = await rpc(
      'eth_createAccessList',
      call,
      'latest',
      overrides('0x485400'),
    )
    return [traced.output, list.accessList[0]!.storageKeys[0]!].map(BigInt)
  }

  test('then it is that of the block; in profile base zero, as in eth_call (RPC-CALL-22)', async () => {
    const base = await createTestNode({ profile: 'base' })
    const { baseFeePerGas } = base.chain.latest().header
    expect(await seenBy(base, {})).toEqual([0n, 0n])
    expect(await seenBy(base, { gasPrice: '0x77359400' })).toEqual([baseFeePerGas, baseFeePerGas])
    expect(await seenBy(scene.node, {})).toEqual([baseFeePerGas, baseFeePerGas])
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
    const traced = scene.node.methods.debug_traceCall!(params, { signal }) as Promise<unknown>
    caller.abort(new Error('gone'))
    await expect(traced).rejects.toThrow('gone')
  })
})
