import { expect, test } from 'vitest'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { sourceFiles } from './source-files.ts'

const CALL =
  /(?<![\w.])(?:test|it)(?:\.(?:concurrent|each|fails|for|only|runIf|sequential|skip|skipIf))*(?:<(?:=>|[^<>]|<[^<>]*>)*>)?(?=\()/g
const TITLE = /^\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/
const TAKES_ARGUMENTS_FIRST = /\.(?:each|for|runIf|skipIf)\b/
/** What may hold a parenthesis that opens or closes nothing. */
const QUOTED =
  /(['"`])(?:(?!\1)[^\\]|\\.)*\1|\/\/.*|\/\*[\s\S]*?\*\/|(?<=[(,[=:]\s*)\/(?:[^/\\\n]|\\.)+\//y

/** The titles of the tests in a file; that of a table stands after its rows. */
function titlesOf(text: string): string[] {
  return [...text.matchAll(CALL)].flatMap(({ index, 0: call }) => {
    const end = index + call.length
    const at = TAKES_ARGUMENTS_FIRST.test(call) ? endOfArguments(text, end) : end
    const title = TITLE.exec(text.slice(at, at + 1_000))
    return title ? [title[2]!] : []
  })
}

function endOfArguments(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(text)
    if (quoted) at += quoted[0].length - 1
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

const titles = sourceFiles()
  .filter(({ path }) => /\.(?:test|spec)\.tsx?$/.test(path))
  .flatMap(({ path, text }) => titlesOf(text).map((title) => ({ path, title })))

const named = ({ path, title }: { path: string; title: string }) => `${path}: ${title}`

test('given a file of tests, then each title says given, when or then', () => {
  expect(titles.length).toBeGreaterThan(2_000)
  expect(titles.filter(({ title }) => !/^(?:given|when|then) /.test(title)).map(named)).toEqual([])
})

test('given a title that names rules, then they stand at its end, in parentheses', () => {
  const { rules, open } = loadCatalogue()
  const families = new Set([...rules, ...open].map(({ id }) => id.replace(/-\d+$/, '')))
  const rule = new RegExp(`\\b(?:${[...families].join('|')})-[\\d*]`)
  const wrong = titles.filter(({ title }) => rule.test(title.replace(/ \([^()]*\)$/, '')))
  expect(titles.filter(({ title }) => rule.test(title)).length).toBeGreaterThan(100)
  expect(wrong.map(named)).toEqual([])
})

test('given titles of every kind, then each is found', () => {
  const text = `
    test('given a', () => {})
    it.only("given b (c)", () => {})
    test.skipIf(process.platform !== 'linux')(
      \`given d\`,
    )
    test.each<[string, (x: number) => void]>([
      // A comment with a ( in it
      [')', () => call(/[)]/)],
    ])('given e %s', () => {})
    pattern.test('no')
    rows.forEach((it) => it('given f'))
  `
  expect(titlesOf(text)).toEqual(['a', 'b (c)', 'd', 'e %s', 'f'].map((title) => `given ${title}`))
})
