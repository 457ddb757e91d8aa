import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import { toHtml } from '#reports/html/to-html'
import { mergeRuns, parseRun } from '#reports/index'
import { judgeLog, parseLog } from '#suites/weather/judge-log'
import { weatherResult } from '#suites/weather/weather-result'
import { axeViolations } from './axe-violations.ts'
import { openBrowser } from './open-browser.ts'

const INSTALL_TIMEOUT = 300_000
const events = [
  [0, 'observer', 'block.seen', { number: 1, hash: '0x1', parent: '0x0', transactions: [] }],
  [500, 'link:host-l1', 'fault.on', { id: 1, fault: 'latency', with: { latency: 300 } }],
  [600, 'client.1', 'request.sent', { id: 1, to: 'l2', method: 'eth_call', limit: 1_000 }],
  [640, 'client.1', 'request.done', { id: 1, outcome: 'answer', ms: 40 }],
  [700, 'client.1', 'request.sent', { id: 2, to: 'l2', method: 'eth_<b>', limit: 1_000 }],
  [1_700, 'client.1', 'request.done', { id: 2, outcome: 'late', ms: 1_000, message: 'late' }],
  [2_000, 'observer', 'block.seen', { number: 2, hash: '0x2', parent: '0x1', transactions: [] }],
  [2_100, 'observer', 'safe.seen', { number: 1, hash: '0x1' }],
  [2_500, 'link:host-l1', 'fault.off', { id: 1, fault: 'latency' }],
  [3_000, 'weather', 'weather.over', {}],
  [4_000, 'probe', 'probe.done', { probe: 'a read', isWell: true }],
] as const
const ndjson = events
  .map(([t, who, what, data]) => `${JSON.stringify({ t, who, what, data })}\n`)
  .join('')

let browser: Browser
let folder: string
let address: string

beforeAll(async () => {
  const violations = judgeLog(parseLog(ndjson))
  const run = { plan: parseFaultPlan({}), ndjson, violations, duration: 4_000 }
  const played = { name: 'slow <L1>', story: 'A test.', rules: [], run, repro: 'rollbed' }
  const about = { version: '1', startedAt: '2026-01-01T00:00:00.000Z', duration: 4_000 }
  const result = weatherResult([played], { ...about, body: 'simulated' })
  // As it is read back from a file, and merged.
  const merged = mergeRuns([parseRun(JSON.stringify(result))])
  folder = await mkdtemp(join(tmpdir(), 'rollbed-timeline-'))
  await writeFile(join(folder, 'page.html'), toHtml(merged))
  address = `${pathToFileURL(join(folder, 'page.html')).href}#/timeline`
  browser = await openBrowser()
}, INSTALL_TIMEOUT)

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<{ page: Page; requests: string[]; problems: string[] }> {
  const page = await browser.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => problems.push(message.text()))
  await page.goto(address)
  return { page, requests, problems }
}

const titles = (page: Page, selector: string) => page.locator(`${selector} title`).allTextContents()

describe('the timeline of a report, opened from a file', () => {
  it('given a log, then it has a lane for each part, faults shaded, latencies, heads and problems', async () => {
    const { page, requests, problems } = await open()
    expect(await page.locator('h3', { hasText: 'slow <L1>' }).isVisible()).toBe(true)
    const lanes = await page.locator('.timeline li').allTextContents()
    expect(lanes.slice(0, 3)).toEqual(['link:host-l1', 'weather', 'probe'])
    expect(lanes.at(-1)).toBe('heads: latest, safe, finalized')
    expect(await titles(page, 'rect.fault')).toEqual(['latency {"latency":300}'])
    const fault = page.locator('rect.fault')
    expect(Number(await fault.getAttribute('x'))).toBe(125)
    expect(Number(await fault.getAttribute('width'))).toBe(500)
    expect(await titles(page, '.answered')).toEqual(['eth_call to l2: 40 ms'])
    expect(await titles(page, '.failed')).toEqual(['eth_<b> to l2: 1000 ms'])
    expect(await titles(page, '.head')).toEqual(['latest, to 2', 'safe, to 1'])
    expect(await titles(page, '.problem')).toEqual([expect.stringContaining('requests-end: ')])
    // The slow request stands above the quick one.
    const height = async (kind: string) =>
      Number(/ ([\d.]+)h0/.exec((await page.locator(kind).getAttribute('d'))!)![1])
    expect(await height('.failed')).toBeLessThan(await height('.answered'))
    expect(requests).toEqual([address.split('#')[0]])
    expect(problems).toEqual([])
    await page.close()
  })

  it('given keys and the wheel, then it is zoomed and moved, and is whole again', async () => {
    const { page } = await open()
    const svg = page.locator('svg.zoom')
    const view = () => svg.getAttribute('viewBox')
    const axis = () => page.locator('.timeline .axis span').allTextContents()
    const whole = await view()
    expect(await axis()).toEqual(['0.0 s', '4.0 s'])
    await svg.focus()
    await page.keyboard.press('+')
    expect(await axis()).toEqual(['1.0 s', '3.0 s'])
    await page.keyboard.press('ArrowRight')
    expect(await axis()).toEqual(['1.5 s', '3.5 s'])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await axis()).toEqual(['2.0 s', '4.0 s'])
    await page.keyboard.press('0')
    expect(await view()).toBe(whole)
    await svg.hover({ position: { x: 1, y: 30 } })
    await page.mouse.wheel(0, -100)
    await expect.poll(async () => (await axis())[1]).toBe('3.2 s')
    await page.close()
  })

  it('given axe, then nothing is found in light and dark', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    expect(await axeViolations(page)).toEqual([])
    await page.close()
  })
})
