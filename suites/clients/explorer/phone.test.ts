import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { axeViolations } from '#suites/gate/report-page/axe-violations'
import { openBrowser } from '#suites/gate/report-page/open-browser'
import { writeSampleContracts } from './write-sample-contracts.ts'

/** The explorer on a phone, on a chain with a past. */

const PHONE = { width: 390, height: 844 }
/** More blocks than the page looked through once. */
const LATER_BLOCKS = 150

let folder: string
let devnet: Devnet
let browser: Browser
let page: Page
let created: Hex
let ledger: Hex
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-phone-'))
  const { Ledger } = writeSampleContracts(folder)
  ;[devnet, browser] = await Promise.all([
    startDevnet({ manual: true, artifacts: folder, faults: true, logLevel: 'silent' }),
    openBrowser(),
  ])
  page = await browser.newPage({ viewport: PHONE })
  page.setDefaultTimeout(20_000)
  const { accounts, rpcUrl } = devnet.description
  const account = privateKeyToAccount(accounts[0]!.privateKey)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const { abi, bytecode } = Ledger
  created = await wallet.deployContract({ abi, bytecode, chain: null, gas: 2_000_000n })
  await devnet.node.flashblock()
  await devnet.node.seal()
  const { contractAddress } = await client().getTransactionReceipt({ hash: created })
  ledger = contractAddress!
  await client().request({ method: 'anvil_mine', params: [LATER_BLOCKS] } as never)
})
afterAll(async () => {
  await browser?.close()
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

const client = () => createPublicClient({ transport: http(devnet.description.rpcUrl) })
const open = (path: string) => page.goto(new URL(path, devnet.description.dashboardUrl).href)
/** Pixels of the whole page. */
const measure = (side: 'scrollWidth' | 'scrollHeight') =>
  page.locator('html').evaluate((html, name) => html[name], side)

test('given a contract whose creation is older than a hundred blocks, then its page has it', async () => {
  await open(`/address/${ledger}`)
  await page.locator(`a[href="/tx/${created}"]`).waitFor()
  await page.getByText('no older ones').waitFor()
})

test('given a creation, then the call tree says what was created', async () => {
  await open(`/tx/${created}`)
  const frame = page.locator('ul.calls summary').first()
  await frame.getByText('creates Ledger').waitFor()
  expect(await frame.textContent()).not.toContain('0x60')
})

describe('given a phone', () => {
  test('when any page is opened, then it is no wider than the screen', async () => {
    const pages = {
      ...{ '/transactions': 'no older ones', '/contracts': 'WETH9' },
      ...{ '/': 'Sealed blocks', '/blocks': 'Sealed blocks', '/block/1': 'In their order' },
      ...{ [`/tx/${created}`]: 'Before and after', [`/address/${ledger}`]: 'no older ones' },
      ...{ [`/debug/${created}`]: 'contract Ledger', '/accounts': 'Nonce' },
      ...{ '/pool': 'No transactions', '/codes': 'Get a code' },
      ...{ '/proofs': 'Proofs', '/games': 'Games', '/enclaves': 'PCR0', '/actors': 'Actors' },
      ...{ '/clock': 'Go back', '/faults': 'Inject a fault', '/requests': 'Took' },
      ...{ '/subscriptions': 'newHeads' },
    }
    const wide: string[] = []
    for (const [path, said] of Object.entries(pages)) {
      await open(path)
      await page.locator('main').getByText(said).first().waitFor()
      const width = await measure('scrollWidth')
      if (width > PHONE.width) wide.push(`${path}: ${width}`)
    }
    expect(wide).toEqual([])
  })

  test('when addresses and hashes stand in a table, then each is on one line', async () => {
    for (const path of ['/transactions', '/contracts', `/address/${ledger}`]) {
      await open(path)
      await page.locator('main').getByText('no older ones').first().waitFor()
      const broken = await page.locator('td code').evaluateAll((codes) => {
        const short = codes.filter(({ textContent }) => textContent?.includes('…'))
        const lines = short.map((code) => code.getClientRects().length)
        return lines.length === 0 ? ['none'] : lines.filter((count) => count > 1)
      })
      expect(broken, path).toEqual([])
    }
  })

  test('when a dapp has asked hundreds of times, then the log comes by pages', async () => {
    const { accounts } = devnet.description
    const { address } = accounts[3]!
    const asked = Array.from({ length: 120 }, () =>
      client().request({ method: 'eth_getStorageAt', params: [address, '0x7', 'latest'] }),
    )
    await Promise.all(asked)
    await open('/requests')
    const table = page.getByRole('region', { name: 'The newest 500 calls' })
    await table.getByText('eth_getStorageAt').first().waitFor()
    expect(await measure('scrollHeight')).toBeLessThan(6 * PHONE.height)
    const first = await table.locator('tbody tr').first().textContent()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByText(/^26 to 50 of \d+$/).waitFor()
    expect(await table.locator('tbody tr').count()).toBe(25)
    expect(await table.locator('tbody tr').first().textContent()).not.toBe(first)
    expect(await axeViolations(page)).toEqual([])
  })

  test('when a fault is chosen, then its parameters are fields with their words, and no JSON is asked for', async () => {
    await open('/faults')
    await page.getByLabel('Target').selectOption('link:client-l2')
    await page.locator('select[name=fault]').selectOption('latency')
    await page.getByLabel('latency: how much later; milliseconds').fill('2')
    await page.getByLabel('direction').selectOption('downstream')
    expect(await page.getByLabel(/JSON/).count()).toBe(0)
    await page.getByRole('button', { name: 'Inject' }).click()
    const inForce = page
      .getByRole('region', { name: 'In force' })
      .getByRole('row', { name: /link:client-l2 latency/ })
    await inForce.waitFor()
    const parameters = JSON.parse((await inForce.locator('code').textContent())!)
    expect(parameters).toEqual({ direction: 'downstream', toxicity: 1, latency: 2, jitter: 0 })
    await page.getByRole('button', { name: /^Clear \d+$/ }).click()
    await page.getByText('Nothing is wrong on purpose.').waitFor()
  })
})
