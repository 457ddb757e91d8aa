import { expect, test } from 'vitest'
import { keccak256 } from '#protocol/crypto/keccak'
import { Engine } from '#protocol/evm/engine'
import { EngineExit } from '#protocol/evm/engine-exit'
import { withEngine } from '#protocol/evm/with-engine'

const SENDER = new Uint8Array(20).fill(0xa1)
const CONTRACT = new Uint8Array(20).fill(0xc0)
const ZERO = new Uint8Array(32)
const GAS = 100_000n
const CODE = Uint8Array.of(0x00)
const context = {
  block: {
    ...{ coinbase: SENDER, timestamp: 0n, number: 0n, prevRandao: ZERO },
    ...{ gasLimit: GAS, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
  },
  ...{ origin: SENDER, gasPrice: 0n, precompiles: [] },
}

/** Calls the contract; tells whether its code was asked for. */
function callAsksForCode(engine: Engine): boolean {
  let isAsked = false
  const account = { nonce: 1n, balance: 0n, codeHash: keccak256(CODE), hasStorage: false }
  const code = () => {
    isAsked = true
    return CODE
  }
  engine.open(context, { account: () => account, slot: () => ZERO, code }, GAS)
  const [caller, target, input] = [SENDER, CONTRACT, new Uint8Array(0)]
  engine.begin({ caller, target, isCreation: false, value: 0n, gas: GAS, input })
  expect(engine.run()).toBe(EngineExit.stop)
  return isAsked
}

test('given an engine that was lent, when it is lent again, then it knows no code of its first use', async () => {
  const first = await withEngine(async (engine) => {
    expect([callAsksForCode(engine), callAsksForCode(engine)]).toEqual([true, false])
    return engine
  })
  await withEngine(async (engine) => {
    expect(engine).toBe(first)
    expect([callAsksForCode(engine), callAsksForCode(engine)]).toEqual([true, false])
  })
})

test('given a use that fails, then its engine is as good as before', async () => {
  const failing = withEngine(async (engine) => {
    callAsksForCode(engine)
    throw new Error('no preimage')
  })
  await expect(failing).rejects.toThrow('no preimage')
  expect(await withEngine(async (engine) => callAsksForCode(engine))).toBe(true)
})

test('given two uses at the same time, then each has an engine of its own', async () => {
  await withEngine((one) => withEngine(async (other) => expect(other).not.toBe(one)))
})

test('given an engine that has run nothing, then it has reserved nothing', () => {
  const engine = new Engine()
  expect(engine.memoryBytes).toBe(0)
  callAsksForCode(engine)
  expect(engine.memoryBytes).toBeGreaterThan(2 ** 20)
})
