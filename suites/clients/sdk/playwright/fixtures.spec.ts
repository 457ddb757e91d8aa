import { expect, type Page } from '@playwright/test'
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

/** A page of a dapp that does nothing by itself; whose origin is no localhost's. */
async function openDapp(page: Page): Promise<void> {
  const body = '<title>dapp</title>'
  await page.route('https://dapp.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  )
  await page.goto('https://dapp.example/')
}

/** What the page's wallet answers: a result, or the code of its error. */
const ask = (page: Page, method: string, ...params: unknown[]) =>
  page.evaluate(
    `window.ethereum.request(${JSON.stringify({ method, params })}).catch(({ code }) => code)`,
  )

test('given a page with a wallet, when it was let in, then it sends, and its chain has it', async ({
  page,
  pageWallet,
  client,
}) => {
  await openDapp(page)
  expect(await ask(page, 'eth_accounts')).toEqual([])
  const transaction = { from: pageWallet.address, to: NOBODY, value: '0x5' }
  expect(await ask(page, 'eth_sendTransaction', transaction)).toBe(4100)
  expect(await ask(page, 'eth_requestAccounts')).toEqual([pageWallet.address])
  const hash = await ask(page, 'eth_sendTransaction', transaction)
  await client.waitForPreconfirmation({ hash: hash as `0x${string}` })
  expect(await client.getBalance({ address: NOBODY, blockTag: 'pending' })).toBe(5n)
  expect(pageWallet.requests.map(({ method }) => method)).toContain('eth_sendTransaction')
})

test('given a user who says no, takes another account and leaves, then the page hears each', async ({
  page,
  pageWallet,
  walletOf,
}) => {
  await openDapp(page)
  pageWallet.refuse()
  expect(await ask(page, 'eth_requestAccounts')).toBe(4001)
  expect(await ask(page, 'eth_requestAccounts')).toEqual([pageWallet.address])
  await page.evaluate(
    "window.heard = []; window.ethereum.on('accountsChanged', (accounts) => window.heard.push(accounts))",
  )
  await pageWallet.switchTo(3)
  await pageWallet.disconnect()
  expect(await page.evaluate('window.heard')).toEqual([[walletOf(3).account.address], []])
  expect(await ask(page, 'wallet_switchEthereumChain', { chainId: '0x1' })).toBe(4902)
  pageWallet.refuse('all')
  expect(await ask(page, 'personal_sign', '0x00', pageWallet.address)).toBe(4001)
  expect(await ask(page, 'eth_chainId')).toMatch(/^0x/)
})

test('given a page that asks for wallets by EIP-6963, then ours is announced', async ({
  page,
  pageWallet: _,
}) => {
  await openDapp(page)
  const names = await page.evaluate(`new Promise((resolve) => {
    window.addEventListener('eip6963:announceProvider', ({ detail }) => resolve(detail.info.name))
    window.dispatchEvent(new Event('eip6963:requestProvider'))
  })`)
  expect(names).toBe('rollbed')
})

// As the page of the fixtures shows it.
test('given a user who says no, then the page may ask again', async ({ page, pageWallet }) => {
  await page.goto('about:blank') // your dapp
  const ask = () => page.evaluate("window.ethereum.request({ method: 'eth_requestAccounts' })")
  pageWallet.refuse() // the next request, with error 4001; 'all' and 'none' last
  await expect(ask()).rejects.toThrow('refused')
  expect(await ask()).toEqual([pageWallet.address])
  await pageWallet.switchTo(3) // the page hears accountsChanged
  await pageWallet.disconnect() // and now with no account
  expect(pageWallet.requests).toHaveLength(2)
})

/** What faults the worker's devnet has now. */
async function faultsOf({
  description,
}: {
  description: { faultsUrl?: string }
}): Promise<unknown> {
  const response = await fetch(description.faultsUrl!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rollbed_faultList', params: [] }),
  })
  return ((await response.json()) as { result: { active: unknown } }).result.active
}

test('given a fault of a link, then it is there until the test clears it', async ({
  faults,
  devnet,
}) => {
  const fault = { target: 'link:batcher-l1', fault: 'latency', with: { latency: 5 } } as const
  const injected = await faults.inject(fault)
  expect(await faultsOf(devnet)).toMatchObject([{ target: 'link:batcher-l1' }])
  await injected.clear()
  expect(await faultsOf(devnet)).toEqual([])
  await faults.inject(fault)
})

test('given a fault that another test has left, then it is gone', async ({ devnet }) => {
  expect(await faultsOf(devnet)).toEqual([])
})
