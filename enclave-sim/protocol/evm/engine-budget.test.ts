import { expect, test } from 'vitest'
import { keccak256 } from '../crypto/keccak.ts'
import type { Address } from '../types/bytes.ts'
import { Engine } from './engine.ts'
import { EngineExit } from './engine-exit.ts'

const CALLER = new Uint8Array(20).fill(0xa1)
/** Reads one slot after the other, for ever: each is a question, and costs 2,100 gas. */
const READER = new Uint8Array(20).fill(0xc0)
/** Calls READER with all its gas. */
const FORWARDER = new Uint8Array(20).fill(0xf0)
const CODES: Record<string, string> = {
  c0: '5f5b80545060010160015600',
  f0: `5f5f5f5f5f73${'c0'.repeat(20)}5af100`,
}
const GAS = 1_000_000n
const BUDGET = 20_000n
/** What one round of READER costs with the call before it: more than that no message overruns. */
const MOST_AT_ONCE = 6_000n

const block = {
  ...{ coinbase: CALLER, timestamp: 0n, number: 0n, prevRandao: new Uint8Array(32) },
  ...{ gasLimit: GAS, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
}
const context = { block, origin: CALLER, gasPrice: 0n, precompiles: [] }
const codeOf = (address: Address) => Buffer.from(CODES[address.slice(2, 4)] ?? '', 'hex')

/** Begins a call; `slots` says how many questions for slots are answered at once. */
function begin(target: Uint8Array, slots: number): { engine: Engine; asked(): number } {
  const engine = new Engine()
  let asked = 0
  const host = {
    account: (address: Address) => ({
      ...{ nonce: 1n, balance: 0n, hasStorage: true },
      codeHash: keccak256(codeOf(address)),
    }),
    slot: () => (asked++ < slots ? Uint8Array.of(1) : undefined),
    code: codeOf,
  }
  engine.open(context, host, GAS)
  const input = new Uint8Array(0)
  engine.begin({ caller: CALLER, target, isCreation: false, value: 0n, gas: GAS, input })
  return { engine, asked: () => asked }
}

test.each([
  ['a message that asks for one slot after the other', READER],
  ['a message whose inner call does', FORWARDER],
])('given %s, when each is answered at once, then they share one budget', (_, target) => {
  const { engine, asked } = begin(target, 1_000)
  expect(engine.run(BUDGET)).toBe(EngineExit.pause)
  expect(BigInt(asked()) * 2_100n).toBeLessThan(BUDGET + MOST_AT_ONCE)
  // It goes on where it stands, with more.
  expect(engine.run(2n * BUDGET)).toBe(EngineExit.pause)
  expect(BigInt(asked()) * 2_100n).toBeGreaterThan(BUDGET)
  expect(BigInt(asked()) * 2_100n).toBeLessThan(2n * BUDGET + MOST_AT_ONCE)
})

test('given a message that had to wait for an answer, then it goes on with what is left of its budget', () => {
  const { engine, asked } = begin(READER, 5)
  expect(engine.run(BUDGET)).toBe(EngineExit.needsSlot)
  const before = asked()
  // What it misses never comes: it stands at the same opcode, and has used no more.
  expect(engine.run(BUDGET)).toBe(EngineExit.needsSlot)
  expect(asked()).toBe(before + 1)
  expect(engine.run(5n * 2_100n)).toBe(EngineExit.pause)
})
