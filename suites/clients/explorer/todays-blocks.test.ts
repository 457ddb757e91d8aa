import type { Browser, Page } from '@playwright/test'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { openBrowser } from '#suites/gate/report-page/open-browser'

/** The page of a devnet with blocks of 200 ms, made by hand. */

let devnet: Devnet
let browser: Browser
let page: Page
beforeAll(async () => {
  const options = { manual: true, upgrades: 'today', enclaves: 0, logLevel: 'silent' } as const
  ;[devnet, browser] = await Promise.all([startDevnet(options), openBrowser()])
  page = await browser.newPage()
  await page.goto(devnet.description.dashboardUrl)
})
afterAll(async () => {
  await browser?.close()
  await devnet?.stop()
})

test('given ten blocks in two seconds, of which one has a transaction, then each is told to the millisecond, and the line shows that transaction and no system’s', async () => {
  const { accounts, rpcUrl } = devnet.description
  const account = privateKeyToAccount(accounts[0]!.privateKey)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  for (let block = 0; block < 10; block++) {
    if (block === 8) {
      await wallet.sendTransaction({ to: account.address, value: 1n, chain: null, gas: 21_000n })
      await devnet.node.flashblock()
    }
    await devnet.node.seal()
  }
  await page.locator('.line').getByText('10', { exact: true }).waitFor()
  const times = await page
    .locator('table', { hasText: 'The newest blocks' })
    .getByText(/\.\d{3} UTC/)
    .allTextContents()
  expect(times.slice(0, 10).map((time) => time.slice(-7, -4))).toEqual([
    '000',
    '800',
    '600',
    '400',
    '200',
    '000',
    '800',
    '600',
    '400',
    '200',
  ])
  expect(await page.locator('.line .dot').count()).toBe(1)
  // Nothing is pre-confirmed there.
  expect(await page.locator('.line .open').count()).toBe(0)
  expect(await page.locator('.unseen[role=status]').first().textContent()).toBe('')
})

test('given answers that come later than heads, when a transaction is opened, then it is not said to wait in the pool, and the first answer counts', async () => {
  const { accounts, rpcUrl, dashboardUrl } = devnet.description
  const account = privateKeyToAccount(accounts[0]!.privateKey)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({
    ...{ to: account.address, value: 1n, chain: null, gas: 21_000n },
  })
  await devnet.node.flashblock()
  await devnet.node.seal()
  const slow = await browser.newPage()
  const held: (() => void)[] = []
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await slow.routeWebSocket(/./, (page) => {
    const node = page.connectToServer()
    page.onMessage((message) => {
      if (!String(message).includes('eth_getTransactionReceipt')) return node.send(message)
      held.push(() => node.send(message))
      asked[held.length - 1]?.resolve()
    })
  })
  await slow.goto(`${dashboardUrl}/tx/${hash}`)
  await asked[0]!.promise
  // A head comes, by which the receipt is asked for again.
  await devnet.node.seal()
  await asked[1]!.promise
  expect(await slow.getByText('in the pool').count()).toBe(0)
  held[0]!()
  await slow.getByText('succeeded').waitFor()
  await slow.close()
})

test('given a transaction, when it is run again, then a branch has it, and one that cannot be leaves no branch behind', async () => {
  const { accounts, rpcUrl, dashboardUrl } = devnet.description
  const account = privateKeyToAccount(accounts[2]!.privateKey)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const call = { to: account.address, value: 1n, chain: null, gas: 21_000n }
  const hash = await wallet.sendTransaction(call)
  await devnet.node.flashblock()
  await devnet.node.seal()
  const branches = async () =>
    ((await wallet.request({ method: 'rollbed_branches' } as never)) as unknown[]).length
  await page.route('**/branch/**', (route) =>
    route.fulfill({ json: { error: { code: 1, message: 'It is busy.' } } }),
  )
  await page.goto(`${dashboardUrl}/tx/${hash}`)
  await page.getByRole('button', { name: 'Run it on a branch' }).click()
  await page.getByText('It is busy.').waitFor()
  expect(await branches()).toBe(0)
  await page.unroute('**/branch/**')
  await page.getByRole('button', { name: 'Run it on a branch' }).click()
  await page.getByText('it succeeded with 21,000 gas').waitFor()
  expect(await branches()).toBe(1)
})
