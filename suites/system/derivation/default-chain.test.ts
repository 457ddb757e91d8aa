import { expect, test } from 'vitest'
import { runWorld } from './run-world.ts'

// Written by commit 3c522ec, the last one that knew of no upgrades of Base.
const BLOCKS = {
  1: '0x6058bd3f2dbc5f92b906abe23d5ed284c3fcfbe5eb6eb261afb948edb14b0250',
  15: '0x72718d79e8b1a74a7e446f0eb383c3ea809d4e15a82a987bab49e7a694d6bdcd',
  30: '0x4d5aa21fd449ae1b8805ccefb1fb2e9c8a0caeb05c6b91800fb8f980b253cfd6',
}

test('given no upgrades, when a chain is sequenced, posted and derived, then its blocks are byte for byte those from before upgrades were known', async () => {
  const { violations, userTransactions, followed } = await runWorld(5, 30n)
  expect(violations).toEqual([])
  expect(userTransactions).toBeGreaterThan(100)
  expect(Object.fromEntries(Object.keys(BLOCKS).map((n) => [n, followed[Number(n)]]))).toEqual(
    BLOCKS,
  )
})
