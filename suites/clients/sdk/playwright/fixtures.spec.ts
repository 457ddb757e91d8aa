import { expect } from '@playwright/test'
import { test } from '#devnet/sdk/playwright/index'

const NOBODY = '0x000000000000000000000000000000000000bEEF'

for (const value of [1n, 2n]) {
  test(`given a test with ${value} wei, then it sees its own alone`, async ({ client, wallet }) => {
    await wallet.sendAndPreconfirm({ to: NOBODY, value })
    expect(await client.getBalance({ address: NOBODY, blockTag: 'pending' })).toBe(value)
  })
}

test('given a devnet, then time and faults are at hand', async ({
  clock,
  faults,
  client,
  devnet,
}) => {
  const before = await clock.now()
  expect(await clock.advance(3600)).toBeGreaterThanOrEqual(before + 3600n)
  await faults.reorganize(1)
  expect(await client.getChainId()).toBe(devnet.description.chainId)
})

// As the docstring shows it.
test('given a transfer, then it arrives with its pre-confirmation', async ({ client, wallet }) => {
  const to = '0x000000000000000000000000000000000000bEEF'
  await wallet.sendAndPreconfirm({ to, value: 1n })
  expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(1n)
})
