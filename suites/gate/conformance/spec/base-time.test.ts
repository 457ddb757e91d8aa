import { expect, test } from 'vitest'
import { baseTimeInput, baseTimeSource, expectBaseTimeDeposit, timeOf } from './base-time.ts'
import { encodeTransaction } from './encode-transaction.ts'
import { keccak256 } from './hash.ts'

/** Calculated from the rule by another program (facts of Base's upgrades, vectors 5, 7 and 8). */
const SOURCE_OF_NINE = '0x821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d'
const HASH_OF_NINE = '0x4df213500d2feb104f67c64d62828d6374ce822948e81128fa5ba1ebe5d0c13d'
const SOURCE_OF_150 = '0x2d8b5defd5056ff8a746598c75082dda5af3950cc795fde7416cc90ad731acbc'

const deposit = {
  type: '0x7e',
  hash: HASH_OF_NINE,
  sourceHash: SOURCE_OF_NINE,
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  to: '0x4200000000000000000000000000000000000030',
  mint: '0x0',
  value: '0x0',
  gas: '0xf4240',
  nonce: '0x0',
  isSystemTx: false,
  input: baseTimeInput(600n),
}

test('given published numbers, when sources are hashed, then they are those of the vectors', () => {
  expect(baseTimeSource(9n)).toBe(SOURCE_OF_NINE)
  expect(baseTimeSource(150n)).toBe(SOURCE_OF_150)
})

test('given the deposit of block 9, then its hash is that of the vector and every member fits', () => {
  expect(keccak256(encodeTransaction(deposit))).toBe(HASH_OF_NINE)
  expect(() => expectBaseTimeDeposit(deposit, 600n)).not.toThrow()
  expect(() => expectBaseTimeDeposit(deposit, 400n)).toThrow('transactions[1].input')
  expect(() => expectBaseTimeDeposit({ ...deposit, gas: '0x1' }, 600n)).toThrow('gas')
  expect(() => expectBaseTimeDeposit(undefined, 600n)).toThrow('type')
})

test('given a block of 42 s and part 600, then it is of 42,600 ms', () => {
  expect(timeOf({ timestamp: '0x2a', transactions: [{}, deposit] })).toBe(42_600n)
})
