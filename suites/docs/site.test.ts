import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

let out: string
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'rollbed-site-'))
  const vitepress = join(ROOT, 'node_modules', '.bin', 'vitepress')
  // Fails on a link to a page that is not there.
  await promisify(execFile)(vitepress, ['build', 'devnet/docs', '--outDir', out], { cwd: ROOT })
})
afterAll(() => rmSync(out, { recursive: true }))

test('given the pages, then each is on the site, and its sidebar names each', () => {
  const names = globSync('devnet/docs/*.md', { cwd: ROOT }).map((path) => basename(path, '.md'))
  expect(names.filter((name) => !existsSync(join(out, `${name}.html`)))).toEqual([])
  const start = readFileSync(join(out, 'quick-start.html'), 'utf8')
  const missing = names.filter((name) => name !== 'index' && !start.includes(`href="/${name}"`))
  expect(missing).toEqual([])
})
