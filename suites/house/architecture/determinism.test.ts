import { describe, expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

const HIDDEN_INPUT =
  /\b(Date\.now|new Date\(\)|Math\.random|setTimeout\(|setInterval\(|performance\.now)/

/** The owners of real time, on the machine and in the browser, and benchmarks, which measure it. */
const EXEMPT =
  /^(enclave-sim\/protocol\/clock\/system-clock|devnet\/dashboard\/page\/browser-clock|suites\/tools\/bench\/|suites\/house\/architecture\/)/

describe('time and randomness', () => {
  test('given the sources, then nothing but the clock and the benchmarks reads them from the machine', () => {
    const found = sourceFiles()
      .filter(({ path, text }) => !EXEMPT.test(path) && HIDDEN_INPUT.test(withoutStrings(text)))
      .map(({ path }) => path)
    expect(found).toEqual([])
  })

  test.each(['const t = Date.now()', 'setTimeout(run, 5)', 'const r = Math.random()'])(
    'given %s, then the pattern finds it',
    (line) => expect(HIDDEN_INPUT.test(withoutStrings(line))).toBe(true),
  )
})

/** Comments and one-line strings may name what code may not call. */
function withoutStrings(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'/gm, '')
}
