import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'
import { publicEntries } from './write-api-pages.ts'

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
