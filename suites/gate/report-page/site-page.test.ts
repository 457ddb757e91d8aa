import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToSite, writeSite } from '#reports/index'
import { SAMPLE_RUNS } from '#reports/site/sample-runs'
import { openBrowser } from './open-browser.ts'

describe('the page of the site, opened from a file in Chromium', () => {
  let dir: string
  let browser: Browser
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rollbed-site-'))
    for (const each of SAMPLE_RUNS) await addToSite(dir, each.target, each.run)
    await writeSite(dir)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await rm(dir, { recursive: true })
  })

  test('then it shows targets, first bad runs and the matrix, loads nothing and runs nothing', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`file://${dir}/index.html`)
    expect(await page.getByRole('row', { name: /^devnet 3 / }).count()).toBe(1)
    await page.getByText('ganache: 1').waitFor()
    expect(await page.getByText('2026-11-02T00:00:00.000Z').isVisible()).toBe(true)
    await page.getByText('RPC-LOG-01').first().click()
    expect(await page.getByText('A log object carries ten fields').isVisible()).toBe(true)
    expect(await page.locator('#RPC-LOG-01 .history').first().textContent()).toBe('✓')
    expect(await page.title()).toBe('Conformance of 3 targets · rollbed')
    expect(asked).toEqual([`file://${dir}/index.html`])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('then its JSON is beside it', async () => {
    const site = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'))
    expect(site).toMatchObject({ schema: 'rollbed.site/1' })
    expect(site.targets).toHaveLength(3)
  })
})
