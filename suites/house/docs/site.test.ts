import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { openBrowser } from '#suites/gate/report-page/open-browser'
import { lane } from '#suites/lane'
import { ROOT } from './source-tree.ts'
import { publicEntries } from './write-api-pages.ts'

const test = anyTest.skipIf(!lane('site').isInstalled)

let out: string
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'rollbed-site-'))
  // Fails on a link to a page that is not there.
  await promisify(execFile)('npm', ['run', 'docs:site', '--', '--outDir', out], { cwd: ROOT })
})
afterAll(() => rmSync(out, { recursive: true }))

test('given the pages, then each is on the site, and its sidebar names each', () => {
  const names = globSync('devnet/docs/*.md', { cwd: ROOT }).map((path) => basename(path, '.md'))
  expect(names.filter((name) => !existsSync(join(out, `${name}.html`)))).toEqual([])
  const start = readFileSync(join(out, 'quick-start.html'), 'utf8')
  const missing = names.filter((name) => name !== 'index' && !start.includes(`href="/${name}"`))
  expect(missing).toEqual([])
})

test('given a link of a page to a file beside it, then the site has that file', () => {
  const pages = globSync('devnet/docs/*.md', { cwd: ROOT }).map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  )
  const links = pages.flatMap((text) =>
    [...text.matchAll(/(?<!!)\[[^\]]*\]\(((?!\.\.|https?:)[^)#\s]+\.(?!md\b)\w+)\)/g)].map(
      ([, file]) => file!,
    ),
  )
  expect(links).toContain('own-proposer.ts')
  expect(links.filter((file) => !existsSync(join(out, file)))).toEqual([])
})

/** As vitepress makes it of a heading. */
const anchorOf = (name: string) => name.toLowerCase().replaceAll('_', '-')

test('given an entry of the package, then its page has all that it exports', () => {
  for (const [source, name] of publicEntries()) {
    const page = readFileSync(join(out, 'api', `${name}.html`), 'utf8')
    const lists = readFileSync(join(ROOT, source), 'utf8').matchAll(
      /^export (?:type )?\{([^}]*)\}/gm,
    )
    const exported = [...lists].flatMap(([, list]) => list!.match(/\w+(?=\s*(?:,|$))/g) ?? [])
    expect(exported.length, name).toBeGreaterThan(0)
    const missing = exported.filter((each) => !page.includes(`id="${anchorOf(each)}`))
    expect(missing, name).toEqual([])
  }
})

/** As any server of static files would hand the site out. */
async function openSite(page: Page, path: string): Promise<void> {
  await page.route('http://docs.example/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const name = pathname === '/' ? '/index.html' : pathname
    const file = join(out, extname(name) ? name : `${name}.html`)
    return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 })
  })
  await page.goto(`http://docs.example${path}`)
}

test("given a laptop's width, then the first page shows what it is in one look, and no code runs off its block", async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    // A busy machine takes its time for a page; the test has an end of its own.
    page.setDefaultTimeout(0)
    await openSite(page, '/')
    await page.getByRole('heading', { level: 1, name: /rollbed/ }).waitFor()
    await page.getByRole('img', { name: /pre-confirmed in a flashblock/ }).waitFor()
    expect(await page.locator('pre code .line').count()).toBe(3)
    for (const part of ['.flashblocks', 'pre', '.for-whom']) {
      const { y, height } = (await page.locator(part).boundingBox())!
      expect(y + height, part).toBeLessThanOrEqual(800)
    }
    const picture = page.getByRole('img', { name: /first page/ })
    await picture.scrollIntoViewIfNeeded()
    await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode())
    for (const path of ['/quick-start', '/testing', '/faults', '/weather', '/agents']) {
      await openSite(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const wide = await page
        .locator('.vp-doc pre')
        .evaluateAll((all) =>
          all.filter((pre) => pre.scrollWidth > pre.clientWidth).map((pre) => pre.textContent),
        )
      expect(wide, path).toEqual([])
    }
  } finally {
    await browser.close()
  }
})
