import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** Folders whose titles are still to be put into the grammar of CONTRIBUTING.md. None may be added. */
const TO_COME = [
  'suites/conformance/',
  'suites/contracts/',
  'suites/derivation/',
  'suites/differential/',
  'suites/docs/',
  'suites/end-to-end/',
  'suites/execution-apis/',
  'suites/explorer/',
  'suites/gate-orders/',
  'suites/isolation/',
  'suites/journal/',
  'suites/package/',
  'suites/prover-host/',
  'suites/report-page/',
  'suites/rpc/',
  'suites/safety/',
  'suites/scenarios/',
  'suites/sdk/',
  'suites/sequencer/',
  'suites/simulate/',
  'suites/vm-lane/',
  'suites/weather/',
]

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

test('given a file of tests, then each title says given, when or then', () => {
  const files = sourceFiles().filter(({ path }) => /\.(?:test|spec)\.tsx?$/.test(path))
  const titles = files.flatMap(({ path, text }) => titlesOf(text).map((title) => ({ path, title })))
  expect(titles.length).toBeGreaterThan(2_000)
  const wrong = titles
    .filter(({ path }) => !TO_COME.some((folder) => path.startsWith(folder)))
    .filter(({ title }) => !/^(?:given|when|then) /.test(title))
    .map(({ path, title }) => `${path}: ${title}`)
  expect(wrong).toEqual([])
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
