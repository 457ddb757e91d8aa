import { expect, test } from 'vitest'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import { findDifference } from './find-difference.ts'

const HASH = `0x${'0a'.repeat(32)}` as const
const OTHER = `0x${'0b'.repeat(32)}` as const
const ATTRIBUTES: PayloadAttributes = {
  timestamp: 10n,
  prevRandao: HASH,
  parentBeaconBlockRoot: HASH,
  feeRecipient: `0x${'11'.repeat(20)}`,
  gasLimit: 30n,
  eip1559: { denominator: 50, elasticity: 6 },
  minBaseFee: 0n,
  transactions: [Uint8Array.of(1), Uint8Array.of(2)],
}
const HEADER = {
  timestamp: 10n,
  mixHash: HASH,
  parentBeaconBlockRoot: HASH,
  miner: ATTRIBUTES.feeRecipient,
  gasLimit: 30n,
}
const TRANSACTIONS = [Uint8Array.of(1), Uint8Array.of(2)]

const block = (header: object, raw = TRANSACTIONS) =>
  ({
    header: { ...HEADER, ...header },
    transactions: raw.map((bytes) => ({ raw: bytes })),
  }) as Block

test('given the block that was derived, there is no difference', () => {
  expect(findDifference(ATTRIBUTES, block({}))).toBeUndefined()
})

test.each([
  ['timestamp', block({ timestamp: 12n }), '10', '12'],
  ['mixHash', block({ mixHash: OTHER }), HASH, OTHER],
  ['parentBeaconBlockRoot', block({ parentBeaconBlockRoot: OTHER }), HASH, OTHER],
  ['miner', block({ miner: '0x22' }), ATTRIBUTES.feeRecipient, '0x22'],
  ['gasLimit', block({ gasLimit: 31n }), '30', '31'],
  ['transactions.length', block({}, [Uint8Array.of(1)]), '2', '1'],
  ['transactions[1]', block({}, [Uint8Array.of(1), Uint8Array.of(3)]), '0x02', '0x03'],
])('given another %s, both sides are told', (field, built, derivedValue, builtValue) => {
  expect(findDifference(ATTRIBUTES, built)).toEqual({
    field,
    derived: derivedValue,
    built: builtValue,
  })
})
