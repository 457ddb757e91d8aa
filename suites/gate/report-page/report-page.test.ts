import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeReports } from '#reports/index'
import { sampleRun } from '#reports/sample-run'
import { axeViolations } from './axe-violations.ts'
import { openBrowser } from './open-browser.ts'

const INSTALL_TIMEOUT = 300_000

let browser: Browser
let folder: string
let address: string
let page: Page
const problems: string[] = []
const requests: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-page-'))
  const imageHashes = [`0x${'1a'.repeat(32)}`]
  const run = { ...sampleRun(), build: 'v2', judged: { client: 'base-reth/1.2', imageHashes } }
  const [file] = await writeReports(run, { dir: folder, formats: ['html'] })
  address = pathToFileURL(file!).href
  browser = await openBrowser()
}, INSTALL_TIMEOUT)

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  problems.length = 0
  requests.length = 0
  page = await browser.newPage({ viewport: { width: 1300, height: 900 } })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => requests.push(request.url()))
})

afterEach(async () => {
  await page.close()
  expect(problems).toEqual([])
})

const open = (hash = '') => page.goto(`${address}${hash}`)
const shown = () => page.locator('#list li:visible')
const article = () => page.locator('main article:visible')
const hash = () => page.evaluate('location.hash')

describe('the report page, opened from a file', () => {
  it('then it begins with the overview: what failed, area by area, and asks the network for nothing', async () => {
    await open()
    expect(await article().locator('h2').textContent()).toBe(
      '3 of 8 cases failed, 1 should not met, judged 1 of 2 rules',
    )
    expect(await shown().count()).toBe(8)
    expect(await page.locator('#shown').textContent()).toBe('8 of 8 cases')
    expect(requests).toEqual([address])
  })

  it('when the window is narrow, then what was judged stands in it whole', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    await open()
    const target = article().locator('.target')
    expect(await target.textContent()).toBe(
      `Build v2. The node calls itself base-reth/1.2. Enclave image 0x${'1a'.repeat(32)}.`,
    )
    const spare = `(({ clientWidth, scrollWidth }) => clientWidth - scrollWidth)(document.querySelector('.target'))`
    expect(await page.evaluate(spare)).toBe(0)
  })

  it('when words are searched, then cases are found by title, id and rule, and the words are kept in the URL', async () => {
    await open()
    await page.fill('#search', 'rpc-log-01 members')
    expect(await shown().count()).toBe(1)
    expect(await hash()).toBe('#/?q=rpc-log-01+members')
    await page.fill('#search', 'nothing like this')
    expect(await shown().count()).toBe(0)
  })

  it('when it is filtered by verdict and area, then the URL restores both', async () => {
    await open()
    await page.click('.chip[data-verdict="fail"]')
    await page.click('.chip[data-verdict="unknown"]')
    expect(await shown().count()).toBe(2)
    await page.selectOption('#area', 'logs')
    expect(await shown().count()).toBe(1)
    expect(await hash()).toBe('#/?verdict=fail,unknown&area=logs')

    const url = page.url()
    await page.goto('about:blank')
    await page.goto(url)
    expect(await shown().count()).toBe(1)
    expect(await page.getAttribute('.chip[data-verdict="fail"]', 'aria-pressed')).toBe('true')
    expect(await page.inputValue('#area')).toBe('logs')
  })

  it('when a case is opened by its link, then it has difference, exchange and command', async () => {
    await open('#/case/rpc.log.members.01')
    expect(await article().locator('h2').textContent()).toContain('A log has ten members')
    expect(await article().locator('.diff .expected').allTextContents()).toEqual([
      '-   "removed": false,',
      '-   "blockTimestamp": "0x1"',
    ])
    expect(await article().locator('.diff .actual').first().textContent()).toContain('"false"')
    expect(await article().locator('details summary').textContent()).toContain('eth_getLogs [{}]')
    expect(await article().locator('.repro code').textContent()).toBe(
      'npx rollbed conform --rpc http://127.0.0.1:8545 --only rpc.log.members.01',
    )
    expect(await page.title()).toBe('rpc.log.members.01 · rollbed')
    expect(await page.locator('#list a[aria-current]').textContent()).toContain('A log has ten')
  })

  it('when a case is clicked, then it is shown, and the browser goes back', async () => {
    await open('#/?q=hash')
    await shown().first().locator('a').click()
    expect(await hash()).toBe('#/case/rpc.block.hash.01?q=hash')
    await page.goBack()
    await page
      .getByRole('heading', { name: '3 of 8 cases failed, 1 should not met, judged 1 of 2 rules' })
      .waitFor()
    expect(await shown().count()).toBe(1)
  })

  it('when a link is clicked, then what it opens is there before anything else can happen', async () => {
    await open()
    const clicked = `document.querySelector('[data-link="/rules"]').click()`
    const heading = `document.querySelector('main article:not([hidden]) h2').textContent`
    expect(await page.evaluate(`${clicked}, ${heading}`)).toBe('Rules')
  })

  it('when the rules are opened, then they are listed with their cases or waivers, and the open points', async () => {
    await open()
    await page.click('text=Rules')
    expect(await article().locator('tbody tr').count()).toBe(2)
    expect(await article().textContent()).toContain('Inside the enclave process.')
    await article().locator('text=rpc.log.members.01').click()
    expect(await article().locator('h2').textContent()).toContain('A log has ten members')
    await page.click('text=Open points')
    expect(await article().textContent()).toContain('OPEN-01')
  })

  it('when only the keyboard is used, then it works', async () => {
    await open()
    await page.keyboard.press('/')
    await page.keyboard.type('sample')
    expect(await page.inputValue('#search')).toBe('sample')
    expect(await shown().count()).toBe(5)
    await page.keyboard.press('Escape')
    expect(await shown().count()).toBe(8)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await hash()).toBe('#/case/rpc.log.members.01')
    await page.keyboard.press('k')
    expect(await hash()).toBe('#/case/rpc.block.hash.01')
    await page.keyboard.press('?')
    expect(await page.locator('#help').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('#help').isVisible()).toBe(false)
  })

  it('when an answer brought a script along, then it is not run', async () => {
    await open('#/case/rpc.log.members.01')
    expect(await page.locator('main script').count()).toBe(0)
    expect(await article().textContent()).toContain('<script>alert("x")</script>')
  })

  it.each(['#/', '#/case/rpc.log.members.01', '#/rules', '#/gaps'])(
    'when it is shown at %s in light and dark, then it is accessible (axe finds nothing)',
    async (at) => {
      await open(at)
      expect(await axeViolations(page)).toEqual([])
    },
  )
})
