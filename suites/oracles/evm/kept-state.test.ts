import { beforeEach, expect, test } from 'vitest'
import { keccak256 } from '#protocol/crypto/keccak'
import { Engine } from '#protocol/evm/engine'
import { EngineExit } from '#protocol/evm/engine-exit'
import type { Address } from '#protocol/types/bytes'

const SENDER = new Uint8Array(20).fill(0xa1)
const CONTRACT = new Uint8Array(20).fill(0xc0)
const OTHER = new Uint8Array(20).fill(0xbb)
const GAS = 100_000n
/** Counts up slot 0 and returns what the other account has: SLOAD, ADD, SSTORE, BALANCE, RETURN. */
const COUNTER = Buffer.from(`5f5460010180${'5f5550'}73${'bb'.repeat(20)}315f5260205ff3`, 'hex')
const BLOCK = {
  ...{ coinbase: SENDER, timestamp: 0n, number: 0n, prevRandao: new Uint8Array(32) },
  ...{ gasLimit: GAS, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
}
const context = { block: BLOCK, origin: SENDER, gasPrice: 0n, precompiles: [] }

const engine = new Engine()
const balances = new Map<string, bigint>()
let questions: string[] = []
beforeEach(() => balances.clear())

const nameOf = (address: Address) => address.slice(2, 4)
const host = {
  account(address: Address) {
    const name = nameOf(address)
    questions.push(`account ${name}`)
    const codeHash = keccak256(name === 'c0' ? COUNTER : new Uint8Array(0))
    return { nonce: 1n, balance: balances.get(name) ?? 0n, codeHash, hasStorage: false }
  },
  slot(address: Address) {
    questions.push(`slot ${nameOf(address)}`)
    return Uint8Array.of(7)
  },
  code: () => COUNTER,
}

/** Counts up; tells what it asked for, and the balance that it saw. */
function count(
  state: object | undefined,
  { gas = GAS, again = [] as Uint8Array[] } = {},
): { asked: string[]; exit: number; balance: bigint } {
  questions = []
  engine.open(context, host, gas, state)
  for (const address of again) engine.readAgain(address)
  const input = new Uint8Array(0)
  engine.begin({ caller: SENDER, target: CONTRACT, isCreation: false, value: 0n, gas, input })
  const exit = engine.run()
  return {
    asked: questions,
    exit,
    balance: BigInt(`0x0${Buffer.from(engine.outcome().output).toString('hex')}`),
  }
}

/** The new value of the slot, which the host takes over. */
function taken(): number | undefined {
  return engine.takeChanges().slots[0]?.value.at(-1)
}

const EVERYTHING = ['account a1', 'account c0', 'slot c0', 'account bb']

test('given messages on one state whose changes are taken, then each begins with those of the last and asks for nothing', () => {
  const state = {}
  expect(count(state).asked).toEqual(EVERYTHING)
  expect(taken()).toBe(8)
  expect(count(state).asked).toEqual([])
  expect(taken()).toBe(9)
})

test('given a message that is given up, or whose changes nobody takes, then the next does not see them', () => {
  const state = {}
  count(state)
  expect(taken()).toBe(8)
  expect(count(state, { gas: 6_000n }).exit).toBe(EngineExit.outOfGas)
  count(state)
  count(state)
  expect(taken()).toBe(9)
})

test('given an account that others have changed, when it is to be read again, then it and nothing else is', () => {
  const state = {}
  count(state)
  taken()
  balances.set('bb', 5n)
  expect(count(state)).toMatchObject({ asked: [], balance: 0n })
  expect(count(state, { again: [OTHER] })).toMatchObject({ asked: ['account bb'], balance: 5n })
  expect(taken()).toBe(9)
})

test('given another state, or none, then all is asked for anew', () => {
  for (const state of [{}, {}, undefined, undefined]) expect(count(state).asked).toEqual(EVERYTHING)
})
