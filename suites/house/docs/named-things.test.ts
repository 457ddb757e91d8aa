import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#devnet/cli/run'
import { ROOT } from './source-tree.ts'

const PAGES = '{*.md,.github/*.md,devnet/docs/**/*.md,reports/*.md,suites/**/README.md}'
/** A path of ours, from the top; `<name>` and `*` stand for many. */
const PATH =
  /(?<![\w./<-])((?:devnet|suites|enclave-sim|fixtures|mocks|reports)\/[\w./-]*\w)(?![\w<*{/])/g
const SCRIPT = /\bnpm run ([\w:-]+)/g
/** A block of code, or code in a sentence. */
const CODE = /```\w*\n([\s\S]*?)```|`([^`\n]+)`/g
/** `rollbed dev key: registrar` is a text that is hashed. */
const COMMAND_LINE = /^\s*(?:npx )?rollbed ((?!dev key: )[a-z][\w-]*.*)$/gm
/** What ends one command of a line. */
const END = /\s(?:#|\||&&|>|;|2>|&)(?:\s|$)/
/** They are made by a command, and ignored by git. */
const MADE = ['devnet/docs/.vitepress/dist', 'devnet/docs/api', 'reports/out']

/** An import leaves it out. */
const ENDINGS = ['', '.ts']

const pages = globSync(PAGES, { cwd: ROOT, exclude: ['**/node_modules'] })
  .filter((page) => !/^devnet\/docs\/api\//.test(page) && page !== 'CHANGELOG.md')
  .map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }))

const unknownPaths = (text: string) =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code]) => [...code!.matchAll(PATH)].map(([, path]) => path!))
    .filter(
      (path) =>
        !MADE.includes(path) && !ENDINGS.some((ending) => existsSync(join(ROOT, path + ending))),
    )

const program = new Command('rollbed')
for (const load of Object.values(COMMANDS)) (await load())(program, () => {})

/** What a command line names that no command has. */
function unknownWords(line: string): string[] {
  const words = line.split(END)[0]!.trim().split(/\s+/)
  let command = program
  const unknown: string[] = []
  for (const word of words) {
    // `encode|decode` names both.
    const names = word.split(/\\?\|/)
    const next = names.map((name) => command.commands.find((each) => each.name() === name))
    if (next.every((each) => each !== undefined)) command = next[0]!
    else break
  }
  if (command === program) unknown.push(words[0]!)
  const flags = [...command.options, ...(command.parent?.options ?? [])].map(({ long }) => long)
  const given = words.map((word) => /^\[?(--[a-z][\w-]*)/.exec(word)?.[1]).filter((flag) => flag)
  for (const flag of given)
    if (!flags.includes(flag) && flag !== '--help' && flag !== '--version')
      unknown.push(`${command.name()} ${flag}`)
  return unknown
}

const linesOf = (text: string) =>
  [...text.matchAll(CODE)]
    .flatMap(([, block, words]) => [...(block ?? words)!.matchAll(COMMAND_LINE)])
    .map(([, line]) => line!)

describe('what a page names', () => {
  test('given its paths, then each is there', () => {
    expect(pages.length).toBeGreaterThan(40)
    expect(
      pages.flatMap(({ page, text }) => unknownPaths(text).map((path) => [page, path])),
    ).toEqual([])
  })

  test('given a file of ours that is run, then it is by the Node that is installed with it', () => {
    const byAnyNode = /`node (?:devnet|suites|fixtures|enclave-sim|mocks|reports)\//
    expect(pages.filter(({ text }) => byAnyNode.test(text)).map(({ page }) => page)).toEqual([])
  })

  test('given its scripts of npm, then package.json has each', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const missing = pages.flatMap(({ page, text }) =>
      [...text.matchAll(SCRIPT)]
        .filter(([, name]) => !scripts[name!])
        .map(([, name]) => [page, name]),
    )
    expect(missing).toEqual([])
  })

  test('given its command lines, then each command is there, and takes each flag', () => {
    const lines = pages.flatMap(({ page, text }) => linesOf(text).map((line) => ({ page, line })))
    expect(lines.length).toBeGreaterThan(100)
    const wrong = lines.flatMap(({ page, line }) => unknownWords(line).map((word) => [page, word]))
    expect(wrong).toEqual([])
  })
})

describe('a name that is wrong', () => {
  test.each([
    ['journal-audit FILE', ['journal-audit']],
    ['journal audit FILE --interval 3 --nonsense', ['audit --nonsense']],
    ['up --json & # and --more', []],
    ['journal encode|decode|verify', []],
  ])('given `rollbed %s`, then it is found: %j', (line, found) => {
    expect(unknownWords(line)).toEqual(found)
  })

  test('given a path that is nowhere, then it is found, and one that stands for many is not', () => {
    const text = '`npm test -- devnet/nowhere.test.ts` and `devnet/<name>.ts`, `suites/run-all.ts`'
    expect(unknownPaths(text)).toEqual(['devnet/nowhere.test.ts'])
  })
})
