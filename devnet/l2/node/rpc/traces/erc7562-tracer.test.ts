import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, word } from '../testing/test-node.ts'
import type { CallFrame } from './call-tracer.ts'
import type { ValidationFrame } from './erc7562-tracer.ts'
import { A, B, openTraceScene, type TraceScene } from './trace-scene.ts'

let scene: TraceScene
beforeAll(async () => {
  scene = await openTraceScene()
})

/** What is expected is worked out by hand from ERC-7562 and go-ethereum's tracer. */
async function traceOf(code: Hex, b: Hex = '0x', tracerConfig: object = {}) {
  const options = { tracer: 'erc7562Tracer', tracerConfig }
  return (await scene.traceCode(code, options, { b })) as unknown as ValidationFrame
}

/** CALL of B with as much gas, and nothing else. */
const callB = (gas: string) => `5f5f5f5f5f73${B.slice(2)}${gas}f1`

describe('given code that is traced for a bundler', () => {
  test('when it reads and writes slots, then reads hold what was there before any write', async () => {
    // SLOAD 5, SSTORE 5 twice, SLOAD 5; SSTORE 6, SLOAD 6.
    const { accessedSlots } = await traceOf(
      '0x600554506007600555600860055560055450600160065560065450',
    )
    expect(accessedSlots).toEqual({
      reads: { [word(5)]: [word(0)] },
      writes: { [word(5)]: 2, [word(6)]: 1 },
      transientReads: {},
      transientWrites: {},
    })
  })

  test('when it uses transient storage, then each use is counted', async () => {
    // TSTORE 1, TLOAD 1, TLOAD 1.
    const { accessedSlots, usedOpcodes } = await traceOf('0x600260015d60015c5060015c50')
    expect(accessedSlots.transientWrites).toEqual({ [word(1)]: 1 })
    expect(accessedSlots.transientReads).toEqual({ [word(1)]: 2 })
    // And the STOP at its end.
    expect(usedOpcodes).toEqual({ '0x5d': 1, '0x5c': 2, '0x0': 1 })
  })

  test('when it asks for its gas, then that counts only where it is not passed on to a call', async () => {
    const passedOn = await traceOf(`0x${callB('5a')}00`)
    expect(passedOn.usedOpcodes).toEqual({ '0xf1': 1, '0x0': 1 })
    const kept = await traceOf(`0x${callB('5a')}5a5000`)
    expect(kept.usedOpcodes).toEqual({ '0xf1': 1, '0x5a': 1, '0x0': 1 })
  })

  test('when it looks at code, then a look whether there is any is allowed', async () => {
    const asked = await traceOf(`0x73${B.slice(2)}3b1500`, '0x5b5b5b')
    expect(asked.extCodeAccessInfo).toEqual([])
    expect(asked.contractSize).toEqual({ [B]: { contractSize: 3, opcode: 0x3b } })
    const looked = await traceOf(`0x73${B.slice(2)}3b5073${B.slice(2)}3f5000`, '0x5b5b5b')
    expect(looked.extCodeAccessInfo).toEqual([B, B])
    // By what it was met first.
    expect(looked.contractSize).toEqual({ [B]: { contractSize: 3, opcode: 0x3b } })
  })

  test('when frames hash, then the outermost tells all preimages, sorted and once', async () => {
    // KECCAK256 of ff, then B's of 01 twice.
    const root = await traceOf(
      `0x60ff5f5360015f2050${callB('61ffff')}`,
      '0x60015f5360015f205060015f2050',
    )
    expect(root.keccak).toEqual(['0x01', '0xff'])
    expect(root.calls![0]!.keccak).toBeUndefined()
    expect((await traceOf('0x00')).keccak).toBeUndefined()
  })

  test('when an inner frame runs out of gas, then it says so, and one that reverts does not', async () => {
    const spent = await traceOf(`0x${callB('6103e8')}`, '0x5b5f56')
    expect([spent.outOfGas, spent.calls![0]!.outOfGas]).toEqual([false, true])
    const reverted = await traceOf(`0x${callB('6103e8')}`, '0x5f5ffd')
    expect(reverted.calls![0]).toMatchObject({ outOfGas: false, error: 'execution reverted' })
  })

  test('when frames store, then each tells what it did itself', async () => {
    const root = await traceOf(`0x600160015560${'01'}50${callB('61ffff')}`, '0x6001600255')
    expect(root.accessedSlots.writes).toEqual({ [word(1)]: 1 })
    expect(root.calls![0]!.accessedSlots.writes).toEqual({ [word(2)]: 1 })
    expect(root.contractSize).toEqual({ [B]: { contractSize: 5, opcode: 0xf1 } })
  })

  test('when opcodes to ignore are given, then all others are counted', async () => {
    const { usedOpcodes } = await traceOf('0x6001600201505f5000', '0x', { ignoredOpcodes: ['0x1'] })
    expect(usedOpcodes).toEqual({ '0x60': 2, '0x50': 2, '0x5f': 1, '0x0': 1 })
  })

  test('then the calls are those of callTracer, logs too when they are wanted', async () => {
    // LOG0, and a call.
    const code: Hex = `0x5f5fa0${callB('61ffff')}`
    const withLog = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    const calls = (await scene.traceCode(code, withLog, { b: '0x5f5fa0' })) as unknown as CallFrame
    expect(calls.logs).toHaveLength(1)
    expect(await traceOf(code, '0x5f5fa0', { withLog: true })).toMatchObject(calls)
    expect((await traceOf(code, '0x5f5fa0')).logs).toBeUndefined()
  })

  test('when a transaction is traced by its hash, then it is the same frame', async () => {
    const { node } = scene
    const block = await node.chain.mine(await node.sign({ to: A, value: 1n }))
    const { hash } = block.transactions[0]!
    expect(
      await node.rpc('debug_traceTransaction', hash, { tracer: 'erc7562Tracer' }),
    ).toMatchObject({
      type: 'CALL',
      to: A,
      value: '0x1',
      usedOpcodes: {},
      outOfGas: false,
    })
  })
})

test('given options that are none, then the error names them', async () => {
  const refusal = (tracerConfig: object) => errorOf(traceOf('0x00', '0x', tracerConfig))
  expect(await refusal({ ignoredOpcodes: 'all' })).toMatchObject({ code: -32602 })
  expect(await refusal({ ignoredOpcodes: [1] })).toMatchObject({ code: -32602 })
  expect(await refusal({ withLog: 'yes' })).toMatchObject({ code: -32602 })
})

test('given a tracer in JavaScript, then the refusal says that none runs here, and which do', async () => {
  const tracer = '{ step() {}, result() { return 1 } }'
  expect(await errorOf(scene.trace({ to: A }, { tracer }))).toEqual({
    code: -32000,
    message: 'JavaScript tracers are not run here',
    data: expect.stringContaining('erc7562Tracer'),
  })
})
