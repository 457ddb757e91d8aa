import { expect, test } from 'vitest'
import { baseTimeHash } from './base-time-hash.ts'
import { blockDue, firstFast } from './block-due.ts'

// Source: base/base, rollup.rs and its tests; the day of Base's mainnet.
test.each([
  [{ genesisTime: 10, blockTime: 2, denim: 15 }, 3],
  [{ genesisTime: 10, blockTime: 2, denim: 9 }, 0],
  [{ genesisTime: 1_686_789_347, blockTime: 2, denim: 1_793_901_600 }, 53_556_127],
  [{ genesisTime: 10, blockTime: 2 }, Number.POSITIVE_INFINITY],
])('given %o, then block %d is the first of 200 ms', (times, number) => {
  expect(firstFast(times)).toBe(number)
})

test('given Denim in the middle of a slot, then that slot is the last of two seconds', () => {
  const times = { genesisTime: 10, blockTime: 2, denim: 15 }
  const due = [0, 1, 2, 3, 4, 9].map((number) => blockDue(times, number))
  expect(due).toEqual([10_000, 12_000, 14_000, 16_000, 16_200, 17_200])
})

// Worked out from the layout of the deposit, "200 ms blocks".
test.each([
  [3, 0, '0x6df6aa7e5e5f8c188cf3774b43e724bde60350c41e973c05ad12ad893c64536d'],
  [4, 200, '0xac0f0c535a9588133a22d9174b48462b68849d15f6c60a85949facf517f376a0'],
  [9, 600, '0x4df213500d2feb104f67c64d62828d6374ce822948e81128fa5ba1ebe5d0c13d'],
])(
  'given block %d at part %d, then its deposit has the hash that is known',
  (number, part, hash) => {
    expect(baseTimeHash(number, part)).toBe(hash)
  },
)
