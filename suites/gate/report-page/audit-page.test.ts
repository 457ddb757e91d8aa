import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import { concatHex, hexToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import { auditPage } from '#devnet/actors/journal-audit/audit-page'
import { packByViem } from '#suites/prover/journal/pack-by-viem'
import { roots, sampleJournal, word } from '#suites/prover/journal/sample-journals'
import { axeViolations } from './axe-violations.ts'
import { openBrowser } from './open-browser.ts'

const INSTALL_TIMEOUT = 300_000
const journal = sampleJournal({ endingL2Block: '1060', intermediateRoots: roots(2) })
const packed = packByViem({ ...journal, startingL2Block: 999n, endingL2Block: 1060n })

let browser: Browser
let folder: string
let address: string

beforeAll(async () => {
  const signature = concatHex([word('12'), word('34'), '0x00'])
  const known = { teeImageHash: word('99') }
  const audit = await auditInput({ bytes: hexToBytes(packed) }, { known, signers: [], signature })
  folder = await mkdtemp(join(tmpdir(), 'rollbed-audit-page-'))
  await writeFile(join(folder, 'audit.html'), auditPage(audit))
  address = pathToFileURL(join(folder, 'audit.html')).href
  browser = await openBrowser()
}, INSTALL_TIMEOUT)

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the page of a journal audit, opened from a file', () => {
  it('then every byte of the journal is shown once, in the colour of its field', async () => {
    const page = await browser.newPage()
    const requests: string[] = []
    const problems: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => problems.push(message.text()))
    await page.goto(address)
    const bytes = await page.locator('pre span[title]').allTextContents()
    expect(`0x${bytes.join('')}`).toBe(packed)
    expect(await page.locator('pre').textContent()).toMatch(/^ {4}0 {2}f39f/)
    const colour = (title: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('pre span[title="${title}"]')).backgroundColor`,
      )
    expect(await colour('1 proposer')).not.toBe(await colour('2 l1OriginHash'))
    expect(requests).toEqual([address])
    expect(problems).toEqual([])
    await page.close()
  })

  it('then the fields are named with offset and size, and so are the rules that fail', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    const rows = await page.locator('table').first().locator('tbody tr').allTextContents()
    expect(rows).toHaveLength(10)
    expect(rows[6]).toMatch(/intermediateRoots\[0\]\s*132\s*32/)
    const failing = page.locator('tr', { hasText: '✗ fail' })
    expect(await failing.allTextContents()).toEqual([
      expect.stringMatching(/JRN-11teeImageHash is 0x55.*, not 0x99/),
    ])
    await page.close()
  })

  it('then it is accessible in light and dark (axe finds nothing)', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    expect(await axeViolations(page)).toEqual([])
    await page.close()
  })
})
