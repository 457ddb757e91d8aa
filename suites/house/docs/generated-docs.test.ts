import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { METHOD_TABLE } from '#devnet/l2/node/rpc/method-table'
import { PROFILE_DIFFERENCES } from '#devnet/l2/node/rpc/profile-differences'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { CATALOGUED_FOLDERS, errorCatalogue } from './error-catalogue.ts'
import { generatedPages } from './generate-docs.ts'
import { ROOT, sourcePaths } from './source-tree.ts'

let pages: Record<string, string>
beforeAll(async () => {
  pages = await generatedPages()
})

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

describe('the pages under devnet/docs', () => {
  const names = [
    'anvil',
    'contracts',
    'errors',
    'evidence',
    'faults',
    'profiles',
    'rpc-methods',
    'rules',
  ]
  test.each(names)('given %s.md, then it is what `npm run docs` makes', (name) => {
    const path = `devnet/docs/${name}.md`
    expect(read(path)).toBe(pages[path])
  })

  test.each(['fixtures/faults/plan.schema.json', 'devnet/docs/public/llms.txt'])(
    'given %s, then it is what `npm run docs` makes',
    (path) => {
      expect(read(path)).toBe(pages[path])
    },
  )

  test('given a rule or an open point, then it has an anchor, and every link to one leads there', () => {
    const page = pages['devnet/docs/rules.md']!
    const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)
    const { rules, open } = loadCatalogue()
    expect(anchors).toEqual([...rules, ...open].map(({ id }) => id.toLowerCase()))
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replaceAll(':', '').replaceAll(' ', '-'),
    )
    const links = [page, pages['devnet/docs/anvil.md']!].flatMap((text) =>
      [...text.matchAll(/\]\((?:rules\.md)?#([^)]+)\)/g)].map(([, target]) => target!),
    )
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter((each) => ![...anchors, ...headings].includes(each))).toEqual([])
  })

  test('given a rule, then it has a case or a reason, and its family a title', () => {
    const page = pages['devnet/docs/rules.md']!
    expect(page).not.toMatch(/No case\. \|/)
    expect(page).not.toMatch(/^## ([A-Z-]+): \1$/m)
  })

  test('given a method of the table, then it has a sentence', () => {
    const page = pages['devnet/docs/rpc-methods.md']!
    for (const name of Object.keys(METHOD_TABLE)) {
      expect(page).toMatch(new RegExp(`\\| .*\`${name}\`.* \\| .{10,} \\|`))
    }
    expect(page).not.toContain('undefined')
  })

  test('given a difference of the profiles, then it is there', () => {
    for (const name of Object.keys(PROFILE_DIFFERENCES)) {
      expect(pages['devnet/docs/profiles.md']).toContain(`\`${name}\``)
    }
  })

  // By another way than the catalogue's: the texts of the sources.
  test('given a code beside an error in the sources, then it is in the catalogue', () => {
    const codes = CATALOGUED_FOLDERS.flatMap(sourcePaths)
      .filter((path) => !path.includes('/testing/'))
      .flatMap((path) => [...read(path).matchAll(/(?:Error\(|super\()\s*'([A-Z][A-Z0-9_]+)'/g)])
      .map(([, code]) => code!)
      // The names of errnos are the machine's.
      .filter((code) => !/^E[A-Z]+$/.test(code))
    const known = new Set(errorCatalogue().map(({ code }) => code))
    expect(codes.length).toBeGreaterThan(50)
    expect(known).toContain('-38014')
    expect(known).toContain('INSUFFICIENT_FUNDS')
    expect(codes.filter((code) => !known.has(code))).toEqual([])
  })
})
