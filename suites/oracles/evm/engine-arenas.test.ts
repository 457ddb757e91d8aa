import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import { KECCAK_EMPTY, keccak256 } from '#protocol/crypto/keccak'
import { Engine, type EngineOptions } from '#protocol/evm/engine'
import { EngineExhausted } from '#protocol/evm/engine-exhausted'
import { EngineExit, isOver } from '#protocol/evm/engine-exit'
import type { Address, Hex } from '#protocol/types/bytes'

const SENDER = new Uint8Array(20).fill(0xa1)
const BOMB = new Uint8Array(20).fill(0xb0)
const ZERO = new Uint8Array(32)
const GAS = 60_000_000n
const context = {
  block: {
    ...{ coinbase: SENDER, timestamp: 0n, number: 0n, prevRandao: ZERO },
    ...{ gasLimit: GAS, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
  },
  ...{ origin: SENDER, gasPrice: 0n, precompiles: [] },
}

/** Runs code until it ends; every other account has this code too. */
function detonate(engine: Engine, code: Hex, gas = GAS): number {
  const bytes = hexToBytes(code)
  const hash = keccak256(bytes)
  const host = {
    account: (address: Address) => ({
      nonce: 1n,
      balance: 1_000_000n,
      codeHash: address.startsWith('0xb0') ? hash : hexToBytes(KECCAK_EMPTY),
      hasStorage: false,
    }),
    slot: () => ZERO,
    code: () => bytes,
  }
  engine.open(context, host, gas)
  engine.warm(BOMB)
  const [caller, target, input] = [SENDER, BOMB, new Uint8Array(0)]
  engine.begin({ caller, target, isCreation: false, value: 0n, gas, input })
  return engine.run()
}

/** Loops until the gas is gone: a counter on the stack, and a body that leaves it there. */
const forEver = (body: string): Hex => `0x5f5b600101${body}600156`

/** What fills each arena as fast as gas allows, by the words EVM_EXHAUSTED has for it. */
const BOMBS: Record<string, Hex> = {
  accounts: forEver('803150'),
  slots: forEver('805450'),
  'transient slots': forEver('80805d'),
  changes: forEver('806001166001555f5f5d60015f5d'),
  logs: forEver('60015fa0'),
  memory: forEver('80600c1b5150'),
}

describe('what gas can pay for', () => {
  test.each(Object.entries(BOMBS))('given %s without end, then gas ends first', (_, code) => {
    const engine = new Engine()
    expect(detonate(engine, code)).toBe(EngineExit.outOfGas)
    expect(engine.memoryBytes).toBeLessThan(512 * 2 ** 20)
  })

  test('given a contract that calls itself with all its gas, each time with more memory, then it ends', () => {
    // Takes 8 kB, then calls itself; at depth 1024 the call fails and all return.
    const code: Hex = `0x5f612000525f5f5f5f5f73${'b0'.repeat(20)}5af1`
    const engine = new Engine()
    expect(isOver(detonate(engine, code))).toBe(true)
    expect(engine.memoryBytes).toBeLessThan(512 * 2 ** 20)
    // What the frames took is given back with the next message.
    detonate(engine, '0x00')
    expect(engine.memoryBytes).toBeLessThan(400 * 2 ** 20)
  })
})

describe('an engine laid out for less gas than a message has', () => {
  const small: EngineOptions = { mostGas: 100_000n }

  test.each(Object.entries(BOMBS).filter(([arena]) => arena !== 'memory'))(
    'given %s without end, then it is EVM_EXHAUSTED, and the next message runs',
    (arena, code) => {
      const engine = new Engine(small)
      expect(() => detonate(engine, code)).toThrow(EngineExhausted)
      expect(() => detonate(engine, code)).toThrow(`more room for ${arena} than`)
      expect(detonate(engine, '0x00')).toBe(EngineExit.stop)
    },
  )

  test('given more memory than frames may have, then it is EVM_EXHAUSTED', () => {
    const engine = new Engine()
    engine.limitMemory(4096)
    expect(() => detonate(engine, '0x5f61200052')).toThrow('more room for memory than')
    expect(detonate(engine, '0x5f61200052')).toBe(EngineExit.stop)
  })

  test('given more data back than there is room for, then it is EVM_EXHAUSTED', () => {
    // The outer frame calls itself with input, the inner one gives back 64 kB.
    const code: Hex = `0x366022575f5f60015f5f73${'b0'.repeat(20)}5af1005b620100005ff3`
    const engine = new Engine({ mostGas: 2_000n })
    expect(() => detonate(engine, code)).toThrow('more room for returned data than')
  })
})

describe('the arena of deployed code', () => {
  /** Account n calls account n + 1, until 40; each has its own code of 4 kB that ends with RETURN. */
  function chain(engine: Engine, count: number): { exit: number; depth: bigint } {
    const codes = Array.from({ length: count }, (_, index) => {
      const next = (index + 1).toString(16).padStart(40, '0')
      // Calls the next one with 32 bytes for its answer, adds one to that, gives it back.
      const body = `60205f5f5f5f73${next}5af1505f516001015f5260205ff3`
      const last = '60015f5260205ff3'
      const start = index === count - 1 ? last : body
      return hexToBytes(`0x${start}${index.toString(16).padStart(8, '0').repeat(1024)}`)
    })
    const hashes = codes.map((code) => keccak256(code))
    const at = (address: Address) => Number(`0x${address.slice(-4)}`)
    const host = {
      account: (address: Address) => ({
        ...{ nonce: 1n, balance: 0n, hasStorage: false },
        codeHash: address.startsWith('0x00') ? hashes[at(address)]! : hexToBytes(KECCAK_EMPTY),
      }),
      slot: () => ZERO,
      code: (address: Address) => codes[at(address)],
    }
    const [caller, target, input] = [SENDER, new Uint8Array(20), new Uint8Array(0)]
    engine.open(context, host, GAS)
    engine.begin({ caller, target, isCreation: false, value: 0n, gas: GAS, input })
    const exit = engine.run()
    const { output } = engine.outcome()
    return { exit, depth: output.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) }
  }

  test('given more code over time than fits, then what no longer runs is forgotten', () => {
    const engine = new Engine({ codeBytes: 320 * 1024 })
    for (let round = 0; round < 20; round++) {
      expect(chain(engine, 10)).toEqual({ exit: EngineExit.return, depth: 10n })
      detonate(engine, `0x60${round.toString(16).padStart(2, '0')}${'5b'.repeat(9000)}`)
    }
  })

  test('given more code that runs at once than fits, then it is EVM_EXHAUSTED', () => {
    const engine = new Engine({ codeBytes: 320 * 1024 })
    expect(() => chain(engine, 40)).toThrow('more room for code than')
    expect(chain(new Engine(), 40)).toEqual({ exit: EngineExit.return, depth: 40n })
  })
})
