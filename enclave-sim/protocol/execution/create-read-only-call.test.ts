import { beforeAll, expect, test } from 'vitest'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { MemoryStore } from '../trie/memory-store.ts'
import type { Alloc } from '../types/account.ts'
import type { Address, Hash, Hex } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import { BudgetSpent } from './budget-spent.ts'
import { createExecutor } from './create-executor.ts'
import type { BlockEnvironment, CallMessage, Executor } from './executor.ts'
import { openTestBlock, TEST_CHAIN_ID } from './test-block.ts'

const ALICE: Address = `0x${'a1'.repeat(20)}`
const BOB: Address = `0x${'b0'.repeat(20)}`
const COUNTER: Address = `0x${'c0'.repeat(20)}`
const READER: Address = `0x${'c2'.repeat(20)}`
const TELLER: Address = `0x${'c1'.repeat(20)}`
const ONE: Hash = `0x${'0'.repeat(63)}1`
const CONFIG = { chainId: BigInt(TEST_CHAIN_ID), fork: 'jovian' } as const

/** Counts slot 0 up and returns it. */
const COUNT: Hex = '0x5f546001018060005560005260206000f3'
/** Returns the balance of the address in its calldata. */
const TELL_BALANCE: Hex = '0x5f35315f5260205ff3'
/** Asks for the balance of 3,000 addresses, from the one in its calldata on; returns the next. */
const READ_MANY: Hex = '0x5f3580610bb801905b8031506001018181106008575f5260205ff3'
/** Init code: makes an empty contract and returns nothing. */
const CREATION: Hex = '0x5f5ff3'

let store: MemoryStore
let environment: BlockEnvironment
/** Two states that differ in the counter and in Bob's balance. */
let roots: [Hash, Hash]
let kept: Executor

beforeAll(async () => {
  const alloc: Alloc = {
    [ALICE]: { balance: 10n ** 18n },
    [BOB]: { balance: 5n, nonce: 7n },
    [COUNTER]: { nonce: 1n, code: COUNT, storage: { [`0x${'0'.repeat(64)}`]: ONE } },
    [READER]: { nonce: 1n, code: READ_MANY },
    [TELLER]: { nonce: 1n, code: TELL_BALANCE },
  }
  const opened = await openTestBlock(alloc)
  store = opened.store
  environment = opened.block.environment
  const { stateRoot } = opened.genesis.header
  const scratch = opened.executor.openScratch({ store, stateRoot })
  await scratch.setStorage(COUNTER, `0x${'0'.repeat(64)}`, `0x${'0'.repeat(62)}64`)
  await scratch.setBalance(BOB, 77n)
  roots = [stateRoot, await scratch.commit()]
  kept = await createExecutor(CONFIG)
})

const message = (from: Address, to: Address | null, data: Hex = '0x', value = 0n): CallMessage => ({
  ...{ from, to, value },
  data: hexToBytes(data),
  gas: 200_000n,
})

const balanceOf = (from: Address, of: Address) =>
  message(from, TELLER, `0x${of.slice(2).padStart(64, '0')}`)

/** By the executor that remembers; it must be what a new one finds. */
async function call(state: 0 | 1, asked: CallMessage) {
  const rules = { environment, validate: false }
  const options = { store, stateRoot: roots[state] }
  const outcome = await kept.call(options, asked, rules)
  expect(kept.callAtHand(options, asked, rules)).toEqual(outcome)
  const fresh = await createExecutor(CONFIG)
  expect(outcome).toEqual(await fresh.openScratch(options).call(asked, rules))
  return bytesToHex(outcome.output)
}

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`

test('given calls that write, then none sees what another wrote', async () => {
  expect(await call(0, message(ALICE, COUNTER))).toBe(word(2))
  expect(await call(0, message(BOB, COUNTER))).toBe(word(2))
  expect(await call(1, message(BOB, COUNTER))).toBe(word(101))
  expect(await call(0, message(BOB, COUNTER))).toBe(word(2))
})

test('given callers who pay and send value, then each finds every balance as it stands in the state', async () => {
  const paying = { ...balanceOf(ALICE, ALICE), gasPrice: environment.baseFeePerGas }
  const left = 10n ** 18n - paying.gas * environment.baseFeePerGas
  expect(BigInt(await call(0, paying))).toBe(left)
  expect(BigInt(await call(0, balanceOf(BOB, ALICE)))).toBe(10n ** 18n)
  expect(BigInt(await call(0, balanceOf(ALICE, ALICE)))).toBe(10n ** 18n)
  expect(await call(0, message(ALICE, BOB, '0x', 10n))).toBe('0x')
  expect(await call(0, balanceOf(ALICE, BOB))).toBe(word(5))
  expect(await call(1, balanceOf(ALICE, BOB))).toBe(word(77))
})

test('given creations by callers with nonces, then the address is the same each time', async () => {
  for (const from of [ALICE, BOB, ALICE, BOB]) await call(0, message(from, null, CREATION))
})

test('given a state that has to be fetched, a precompile or an authorization, then it is not at hand', () => {
  const rules = { environment, validate: false }
  const here = { store, stateRoot: roots[0] }
  const elsewhere: StateStore = { get: () => undefined, put: () => undefined }
  const identity: Address = `0x${'04'.padStart(40, '0')}`
  const asked = message(ALICE, BOB)
  expect(kept.callAtHand(here, asked, rules)).toMatchObject({ status: 1 })
  expect(kept.callAtHand({ ...here, store: elsewhere }, asked, rules)).toBeUndefined()
  expect(kept.callAtHand(here, message(ALICE, identity), rules)).toBeUndefined()
  expect(kept.callAtHand(here, { ...asked, authorizationList: [] }, rules)).toBeUndefined()
  const budget = 1_000n
  const many = { ...message(ALICE, READER, word(1)), gas: 10_000_000n }
  expect(() => kept.callAtHand({ ...here, budget }, many, rules)).toThrow(BudgetSpent)
})

test('given more calls than the engine has room to remember, then it begins again', async () => {
  for (let from = 0; from < 36_000; from += 3_000) {
    const many = { ...message(ALICE, READER, word(0x10_0000 + from)), gas: 10_000_000n }
    expect(await call(0, many)).toBe(word(0x10_0000 + from + 3_000))
  }
})
