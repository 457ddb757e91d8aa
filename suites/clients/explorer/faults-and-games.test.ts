import type { Browser, Page } from '@playwright/test'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { axeViolations } from '#suites/gate/report-page/axe-violations'
import { openBrowser } from '#suites/gate/report-page/open-browser'

/** The pages that only have something to tell where actors run and faults are taken. */

const LONG = 120_000

let devnet: Devnet
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[devnet, browser] = await Promise.all([
    startDevnet({
      ...{ blockTime: 1, l1BlockTime: 1, batchInterval: 200 },
      ...{ actors: true, faults: true, logLevel: 'silent' },
    }),
    openBrowser(),
  ])
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  page.setDefaultTimeout(LONG)
})
afterAll(async () => {
  await browser?.close()
  await devnet?.stop()
})

const open = (path: string) => page.goto(new URL(path, devnet.description.dashboardUrl).href)
const table = (name: string) => page.getByRole('region', { name })

test(
  'given a devnet that takes faults, when the keyboard injects one and clears it, then it is in force between',
  async () => {
    await open('/faults')
    await page.getByText('Nothing is wrong on purpose.').waitFor()
    await page.getByLabel('Target').selectOption('link:client-l2')
    await page.locator('select[name=fault]').selectOption('latency')
    await page.getByLabel(/^latency: /).fill('1')
    await page.getByRole('button', { name: 'Inject' }).focus()
    await page.keyboard.press('Enter')
    const inForce = table('In force').getByRole('row', { name: /link:client-l2 latency/ })
    await inForce.waitFor()
    expect(await inForce.textContent()).toContain('"latency":1')
    expect(await axeViolations(page)).toEqual([])
    await inForce.getByRole('button', { name: /^Clear \d+$/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is wrong on purpose.').waitFor()
    await table('What each fault does')
      .getByRole('row', { name: /^latency/ })
      .waitFor()
  },
  LONG,
)

test(
  'given a fault that is told nonsense, then the page says what is wrong with it',
  async () => {
    await open('/faults')
    await page.getByLabel('Target').selectOption('link:client-l2')
    await page.locator('select[name=fault]').selectOption('latency')
    await page.getByLabel(/^latency: /).fill('604800001')
    await page.locator('form', { hasText: 'Inject' }).evaluate((form) => {
      form.setAttribute('novalidate', '')
    })
    await page.getByRole('button', { name: 'Inject' }).click()
    await page.locator('output', { hasText: 'latency' }).waitFor()
  },
  LONG,
)

test(
  'given a proposer, when its first game is on L1, then the page tells its claim, deadline and next step',
  async () => {
    await open('/games')
    const game = page.getByRole('row', { name: /in progress/ }).last()
    await game.waitFor()
    const cells = (await game.getByRole('cell').allTextContents()).map((text) => text.trim())
    // The first of the factory, over the interval that the devnet deploys.
    expect(cells.slice(0, 2)).toEqual(['0', '0 to 10'])
    expect(cells.slice(4, 7)).toEqual(['TEE', 'no', 'none'])
    expect(cells[7]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(cells[8]).toBe('wait')
    expect(await axeViolations(page)).toEqual([])
  },
  LONG,
)

test(
  'given actors, then the page tells who they are, what they have, what their last round came to and what they do next',
  async () => {
    await open('/actors')
    const proposer = table('Who acts on L1').getByRole('row', { name: /^proposer/ })
    await proposer.filter({ hasNotText: 'none yet' }).waitFor()
    const l1 = createPublicClient({ transport: http(devnet.description.l1RpcUrl) })
    const { address } = roleKeys.proposer
    expect(await proposer.locator('code').getAttribute('title')).toBe(address)
    const cells = await proposer.getByRole('cell').allTextContents()
    // What it pays in fees is less than an ether.
    const balance = Number(cells[2]!.replace(' ETH', ''))
    expect(Math.abs(balance - Number(await l1.getBalance({ address })) / 1e18)).toBeLessThan(1)
    const next = {
      proposer: /propose (block|the next)/,
      challenger: /games? to check/,
      registrar: /signers? to register/,
    }
    for (const [role, step] of Object.entries(next)) {
      const row = table('Who acts on L1').getByRole('row', { name: new RegExp(`^${role}`) })
      await row.filter({ hasText: step }).waitFor()
    }
    expect(await axeViolations(page)).toEqual([])
  },
  LONG,
)
