import { expect } from '@playwright/test'
import { test } from '#devnet/sdk/playwright/index'

// As `rollbed init next` writes it: init.test.ts compares.
test('given a tip, then the page shows it before its block is sealed, and then the block', async ({
  page,
  pageWallet: _,
  chain,
  clock,
}) => {
  // What the page asks its usual devnet goes to the chain of this test.
  const [url] = chain.rpcUrls.default.http
  await page.route('http://127.0.0.1:8545/base', (route) => route.continue({ url }))
  await clock.pause() // no block is sealed until the test says so
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect rollbed' }).click()
  await page.getByRole('button', { name: 'Tip 0.01 ETH' }).click()
  await expect(page.getByText('Pre-confirmed: it will stand in block')).toBeVisible()
  await expect(page.getByText('In the jar: 0.01 ETH')).toBeVisible()
  await clock.seal()
  await expect(page.getByText(/^Sealed in block/)).toBeVisible()
})
