import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Transaction } from '../types/transaction.ts'
import { encodeBaseTime } from './base-time.ts'
import { checkBlockTime, type TimedBlock } from './check-block-time.ts'
import { newChain, TX } from './testing/scripted-chain.ts'

/** base/base, rollup.rs: genesis at 10 s, 2 s blocks, Denim at 15 s: block 3 is the first of 200 ms. */
const times = {
  genesis: { l2: { number: 0 }, l2Time: 10 },
  blockTime: 2,
  upgrades: { denim: 15 },
} as const
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const PROXY = '0x4200000000000000000000000000000000000030'

const time = (number: bigint, ms: bigint) => decodeTransaction(encodeBaseTime(number, ms))
const user = decodeTransaction(TX)
/** Of another contract, in the place of the L1 attributes: what it says is for others to judge. */
const first = decodeTransaction(
  encodeDeposit({
    ...{ sourceHash: `0x${'11'.repeat(32)}`, from: DEPOSITOR, to: `0x${'42'.repeat(20)}` },
    ...{ mint: 0n, value: 0n, gas: 1_000_000n, isSystemTransaction: false },
    data: hexToBytes('0x86bdf394'),
  }),
)

/** Block 4, at 16.200 s, after block 3 at 16.000 s. */
function block(changes: Partial<TimedBlock> = {}): TimedBlock {
  const transactions = changes.transactions ?? [first, time(4n, 16_200n), user]
  return {
    ...{ number: 4n, timestamp: 16n, storedPart: 200n },
    parent: { timestamp: 16n, storedPart: 0n },
    receipts: transactions.map(() => ({ status: 1 as const })),
    ...changes,
    transactions,
  }
}

const check = (changes: Partial<TimedBlock> = {}) => checkBlockTime(times, block(changes))

/** The deposit of block 4 with another byte. */
function altered(change: (raw: Uint8Array) => void): Transaction {
  const raw = encodeBaseTime(4n, 16_200n).slice()
  change(raw)
  return decodeTransaction(raw)
}

describe('the time of a block', () => {
  test('given the first block of Denim and those that follow, then they are valid', () => {
    check()
    const parent = { timestamp: 14n, storedPart: 0n }
    check({ number: 3n, transactions: [first, time(3n, 16_000n)], storedPart: 0n, parent })
    const last = { timestamp: 16n, storedPart: 800n }
    check({
      ...{ number: 8n, timestamp: 17n, storedPart: 0n, parent: last },
      transactions: [first, time(8n, 17_000n)],
    })
  })

  test('given a block before Denim, or of a chain without it, then it needs nothing and may not set it', () => {
    const before = block({
      number: 2n,
      timestamp: 14n,
      transactions: [first, user],
      storedPart: 0n,
    })
    checkBlockTime(times, before)
    checkBlockTime(newChain().config, before)
    const early = block({ number: 2n, timestamp: 14n, transactions: [first, time(2n, 14_000n)] })
    expect(() => checkBlockTime(times, early)).toThrow('before Denim')
    expect(() => checkBlockTime(newChain().config, early)).toThrow('before Denim')
  })

  test.each<[string, Transaction[]]>([
    ['none', [first]],
    ["a user's transaction", [first, user]],
    ['it after another', [first, user, time(4n, 16_200n)]],
    ['that of another block', [first, time(5n, 16_200n)]],
    ['one that is off the lattice', [first, time(4n, 16_100n)]],
    ['another gas limit', [first, altered((raw) => raw.set([0x41], raw.length - 39))]],
    ['padding that is not zero', [first, altered((raw) => raw.set([1], raw.length - 32))]],
  ])('given as second transaction %s, then it is refused', (_, transactions) => {
    expect(() => check({ transactions })).toThrow('second transaction')
  })

  test("given a second deposit of it, then it is refused, but a user's call of the setter is not", () => {
    const transactions = [first, time(4n, 16_200n), time(4n, 16_400n)]
    expect(() => check({ transactions })).toThrow('twice')
    const call = { ...user, to: PROXY, data: hexToBytes('0x86bdf394') } as Transaction
    check({ transactions: [first, time(4n, 16_200n), call] })
  })

  test.each<[string, Partial<TimedBlock>]>([
    ['other seconds than are due', { timestamp: 17n }],
    ['another part than is due', { transactions: [first, time(4n, 16_400n)], storedPart: 400n }],
    ['a parent whose state says another time', { parent: { timestamp: 16n, storedPart: 400n } }],
    ['a parent of another second', { parent: { timestamp: 15n, storedPart: 0n } }],
  ])('given %s, then it is refused', (_, changes) => {
    expect(() => check(changes)).toThrow(/it is at \d+ ms/)
  })

  // base/base base_time.rs: 42.200 and then 42.600.
  test('given a block two slots after what the state of its parent says, then it is refused, and told with both times', () => {
    const chain = { ...times, genesis: { l2: { number: 0 }, l2Time: 42 }, upgrades: { denim: 42 } }
    const late = block({
      ...{ number: 3n, timestamp: 42n, storedPart: 600n },
      transactions: [first, time(3n, 42_600n)],
      parent: { timestamp: 42n, storedPart: 200n },
    })
    expect(() => checkBlockTime(chain, late)).toThrow('at 42600 ms, after a block at 42200')
    const parent = { timestamp: 42n, storedPart: 400n }
    checkBlockTime(chain, { ...late, parent })
  })

  test.each<[string, Partial<TimedBlock>, string]>([
    ['its deposit failed', { receipts: [{ status: 1 }, { status: 0 }, { status: 1 }] }, 'failed'],
    ['a receipt is missing', { receipts: [{ status: 1 }, { status: 1 }] }, 'failed'],
    ['the state holds another part', { storedPart: 0n }, 'its state holds 0 ms'],
  ])('given that %s, then it is refused', (_, changes, why) => {
    expect(() => check(changes)).toThrow(why)
  })

  test('given the golden bytes of block 9, then they are the deposit that it asks for', () => {
    // base/base rollup.rs: block 9 of this chain is at 17.200 s.
    const transactions = [first, time(9n, 17_200n)]
    const parent = { timestamp: 17n, storedPart: 0n }
    check({ number: 9n, timestamp: 17n, storedPart: 200n, transactions, parent })
    expect(bytesToHex(transactions[1]!.raw)).toContain(
      '821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d',
    )
  })
})
