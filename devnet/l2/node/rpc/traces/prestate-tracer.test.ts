import { type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO } from '../testing/contracts.ts'
import { bob, word } from '../testing/test-node.ts'
import { A, B, openTraceScene, type TraceScene } from './trace-scene.ts'

let scene: TraceScene
beforeAll(async () => {
  scene = await openTraceScene()
})
const trace: TraceScene['trace'] = (...params) => scene.trace(...params)
const traceCode: TraceScene['traceCode'] = (...params) => scene.traceCode(...params)

describe('prestateTracer', () => {
  const options = { tracer: 'prestateTracer' }
  const code: Hex = `0x73${ECHO.slice(2)}31`

  test('given an account that is looked at, then it is told, with code and its hash', async () => {
    const accounts = await traceCode(code, options)
    expect(accounts[A]).toEqual({ balance: '0x0', code, codeHash: keccak256(code) })
    expect(accounts[ECHO]).toMatchObject({ balance: '0x0', nonce: 1 })
    const bare = await traceCode(code, { ...options, tracerConfig: { disableCode: true } })
    expect(bare[A]).toEqual({ balance: '0x0', codeHash: keccak256(code) })
  })

  test('given a look that cannot be paid, then the account is not told', async () => {
    const accounts = await traceCode(code, options, { call: { gas: '0x5300' } })
    expect(Object.keys(accounts)).toContain(A)
    expect(Object.keys(accounts)).not.toContain(ECHO)
  })

  test('given accounts that are not there, then they are told when asked for', async () => {
    const call = { to: B }
    expect(Object.keys(await trace(call, options))).not.toContain(B)
    const everyone = await trace(call, { ...options, tracerConfig: { includeEmpty: true } })
    expect(everyone[B]).toEqual({ balance: '0x0' })
  })

  test('given a slot that is cleared, then diff mode has it before, and nothing after', async () => {
    const diffMode = { ...options, tracerConfig: { diffMode: true } }
    const state = { [word(1)]: word(9), [word(2)]: word(9) }
    const overrides = { stateOverrides: { [A]: { code: '0x5f60015560025450', state } } }
    const { pre, post } = await trace({ to: A }, { ...overrides, ...diffMode })
    expect(pre).toMatchObject({ [A]: { storage: { [word(1)]: word(9) } } })
    expect((pre as Record<Hex, { storage: object }>)[A]!.storage).not.toHaveProperty(word(2))
    expect(post).toMatchObject({ [A]: {} })
    expect((post as Record<Hex, object>)[A]).toEqual({})
  })

  test('given a contract that comes and goes, then diff mode knows nothing of it', async () => {
    const diffMode = { ...options, tracerConfig: { diffMode: true } }
    // CREATE with init code: SELFDESTRUCT to zero.
    const { post, pre } = await traceCode('0x615fff5f526002601e5ff0', diffMode)
    expect(Object.keys(post as object).sort()).toEqual([A, bob].sort())
    expect(Object.keys(pre as object).sort()).toEqual([A, bob].sort())
  })
})
