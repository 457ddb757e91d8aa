import { describe, expect, test } from 'vitest'
import { type SourceFile, sourceFiles } from './source-files.ts'

/** A row of a table of flags: its name, and what kind it is (devnet/cli/flags.ts). */
const ROW = /^\s+(\w+): (?:on|off|orNone|text|value)\(/gm

/** The gate takes its targets by these names, all at once. */
const TARGETS = 'suites/gate/conformance/targets.ts'

/** Rows whose name stands nowhere else in the file, or in the others where these share the table. */
function unreadIn(file: SourceFile, others: readonly SourceFile[]): string[] {
  const isShared = file.path.endsWith('-flags.ts')
  const readers = [file, ...others.filter(({ path }) => isShared || path === TARGETS)]
  const text = readers.map((each) => each.text.replace(ROW, '')).join('\n')
  return [...file.text.matchAll(ROW)]
    .map(([, name]) => name!)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
    .map((name) => `${file.path}: ${name}`)
}

const files = sourceFiles().filter(({ path }) => !path.endsWith('.test.ts'))
const commands = files.filter(({ path }) => path.startsWith('devnet/cli/'))
const targets = files.filter(({ path }) => path === TARGETS)

describe('a flag of a command', () => {
  test('given every table, then each of its flags is read', () => {
    const rows = commands.flatMap(({ text }) => [...text.matchAll(ROW)])
    expect(rows.length).toBeGreaterThan(100)
    expect(commands.flatMap((file) => unreadIn(file, [...commands, ...targets]))).toEqual([])
  })

  test('given one that nobody reads, then it is found', () => {
    const text = "const UP = {\n  seed: value('<n>'),\n  idle: on('x'),\n}\nstart(flags.seed)\n"
    expect(unreadIn({ path: 'devnet/cli/x.ts', text }, [])).toEqual(['devnet/cli/x.ts: idle'])
  })
})
