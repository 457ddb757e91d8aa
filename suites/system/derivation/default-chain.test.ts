import { expect, test } from 'vitest'
import { runWorld } from './run-world.ts'

// Written by commit 3c522ec, the last one that knew of no upgrades of Base; the last of them with the batcher's
// compression of today there, too: what is on L1 is in its blocks' hashes, and these are in L2's.
const BLOCKS = {
  1: '0x6058bd3f2dbc5f92b906abe23d5ed284c3fcfbe5eb6eb261afb948edb14b0250',
  15: '0x72718d79e8b1a74a7e446f0eb383c3ea809d4e15a82a987bab49e7a694d6bdcd',
  30: '0xb93bade4f9919dbdcade6cbc7a983c66ff07cd6fe9fe7ea3854a037ac98ee816',
}

test('given no upgrades, when a chain is sequenced, posted and derived, then its blocks are byte for byte those from before upgrades were known', async () => {
  const { violations, userTransactions, followed } = await runWorld(5, 30n)
  expect(violations).toEqual([])
  expect(userTransactions).toBeGreaterThan(100)
  expect(Object.fromEntries(Object.keys(BLOCKS).map((n) => [n, followed[Number(n)]]))).toEqual(
    BLOCKS,
  )
})
