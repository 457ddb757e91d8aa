import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { ROOMS, ROOT } from './source-files.ts'

const { rules, open } = loadCatalogue()
const known = new Set([...rules, ...open].map(({ id }) => id))
const families = [...new Set([...known].map((id) => id.replace(/-\d+$/, '')))]
/** An id, and what follows it: `RPC-FLT-07…15`, `RPC-FLT-07 to RPC-FLT-15`, `RPC-CALL-08, -09`. */
const REFERENCE = new RegExp(
  `(?<![\\w-])(${families.sort((a, b) => b.length - a.length).join('|')})-(\\d{2,3})(?!\\d)((?:(?:…|, -)\\d{2,3}(?!\\d))*)`,
  'g',
)
/** Lists of a plan that no reader of the repository has. */
const NUMBERED_TITLE =
  /\b(?:it|test|describe)(?:\.\w+)*\(\s*(?:\[[^\]]*\]\)\()?['"`]\d+[a-z]?(?:, \d+)*: /
const NUMBERED_DECISION = /\bdecisions? \d/i

function idsIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, family, first, rest]) => [
    `${family}-${first}`,
    ...[...rest!.matchAll(/\d+/g)].map(([number]) => `${family}-${number}`),
  ])
}

function textFiles(): { path: string; text: string }[] {
  const folders = [...ROOMS, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
  const listed = execFileSync('git', ['ls-files', ...folders], { cwd: ROOT, encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((path) => /\.(ts|md|ya?ml|sol|html)$/.test(path))
    .filter((path) => path !== 'suites/house/architecture/references.test.ts')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

describe('what the sources refer to', () => {
  const files = textFiles()

  test('given every id of a rule or an open point, then the catalogue has it', () => {
    const unknown = files.flatMap(({ path, text }) =>
      idsIn(text)
        .filter((id) => !known.has(id))
        .map((id) => `${path}: ${id}`),
    )

    expect(unknown).toEqual([])
  })

  test('given titles and comments, then none counts by a list that is not here', () => {
    const lost = files
      .filter(({ text }) => NUMBERED_DECISION.test(text) || NUMBERED_TITLE.test(text))
      .map(({ path }) => path)

    expect(lost).toEqual([])
  })

  test('given how many rules there are, then nobody wrote it by hand', () => {
    const counted = new RegExp(`(?<![\\w.])${rules.length} (?:numbered )?(?:rules|sentences)`)
    const generated = /^devnet\/docs\//
    const wrong = files.filter(({ path, text }) => !generated.test(path) && counted.test(text))

    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

test('given ids in a range, in a list and alone, when read, then each is found', () => {
  expect(idsIn('RPC-FLT-07…15, -19 (JRN-99), OPEN-01, not XJRN-01 nor JRN-1')).toEqual([
    'RPC-FLT-07',
    'RPC-FLT-15',
    'RPC-FLT-19',
    'JRN-99',
    'OPEN-01',
  ])
})
