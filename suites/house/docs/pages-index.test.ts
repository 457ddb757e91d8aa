import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { ROOT } from './source-tree.ts'

const INDEX = 'devnet/docs/pages.md'

test('given a page of the docs, then the index of all pages links to it once', () => {
  const index = readFileSync(join(ROOT, INDEX), 'utf8')
  const linked = [...index.matchAll(/\]\(([^)#:]+\.md)\)/g)].map(([, target]) =>
    join('devnet/docs', target!),
  )
  const pages = globSync(['devnet/docs/*.md', 'reports/*.md'], { cwd: ROOT }).filter(
    (path) => path !== INDEX && path !== 'devnet/docs/index.md',
  )
  expect(linked.sort()).toEqual(pages.sort())
})

test('given the first page of the site, then who runs a node is led to the rules, as many as there are', () => {
  const first = readFileSync(join(ROOT, 'devnet/docs/index.md'), 'utf8')
  const rules = loadCatalogue().rules.length
  expect(first).toMatch(new RegExp(`run a node or a prover\\]\\(rules\\.md\\)<br>${rules} rules `))
})

test('given the README, then it is read in two to three minutes, and leads to all pages', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const prose = readme.replaceAll(/```[^`]*```/g, '').split(/\s+/)
  // At some 250 words a minute.
  expect(prose.length).toBeLessThan(650)
  expect(readme).toContain(`](${INDEX})`)
})
