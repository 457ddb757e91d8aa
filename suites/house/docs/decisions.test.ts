import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

const FOLDER = join(ROOT, 'devnet', 'docs')
/** A page that takes longer to read is an essay. */
const MOST_LINES = 40

const pages = globSync('decisions/*.md', { cwd: FOLDER }).sort()
const index = readFileSync(join(FOLDER, 'decisions.md'), 'utf8')

test('given the index of decisions, then it names every page once, by its title', () => {
  const listed = [...index.matchAll(/\| \d+ \| \[([^\]]+)\]\(([^)]+)\) \|/g)]
  expect(listed.map(([, , path]) => path)).toEqual(pages)
  const titles = pages.map((page) => readFileSync(join(FOLDER, page), 'utf8').split('\n')[0])
  expect(listed.map(([, title]) => `# ${title}`)).toEqual(titles)
})

test.each(pages)(
  'given %s, then it is short, and says what speaks for, against, and what was refused',
  (page) => {
    const text = readFileSync(join(FOLDER, page), 'utf8')
    expect(text.split('\n').length, basename(page)).toBeLessThanOrEqual(MOST_LINES)
    for (const part of ['**Decided:** ', '## For\n\n- ', '## Against\n\n- ', '## Refused\n\n- '])
      expect(text).toContain(part)
  },
)
