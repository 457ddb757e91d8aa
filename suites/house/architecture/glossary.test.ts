import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { childrenOf, parseSource } from './parse-source.ts'
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts'

const NAMES = /^(?:JSX|Private)?Identifier$/

interface Word {
  word: string
  places: string[]
}

const sections = readFileSync(join(ROOT, 'devnet/docs/glossary.md'), 'utf8')
  .split('\n## ')
  .map((section) => [...section.matchAll(/^\| ([a-z]+) \| (.*) \|$/gm)])
const [settled, roaming] = sections.slice(1, 3).map((rows) =>
  rows.map(([, word, cells]): Word => {
    const places = [...cells!.split(' | ')[1]!.matchAll(/`([^`]+)`/g)]
    return { word: word!, places: places.map(([, place]) => place!) }
  }),
) as [Word[], Word[]]
const words = [...settled, ...roaming]
const retired = sections[3]!.map(([, word]) => word!)

/** `startSimulatedWorlds` is made of start, simulated and world. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .flatMap((word) => [
      word,
      word.replace(/ies$/, 'y'),
      word.replace(/s$/, ''),
      word.replace(/es$/, ''),
    ])

/** What a file is called, its folders, and what it declares at its top, by the words that they are made of. */
function namesOf(file: SourceFile): { name: string; words: string[] }[] {
  const declared = parseSource(file).body.flatMap((statement) => {
    const isExport = statement.type.startsWith('Export') && 'declaration' in statement
    const declaration = isExport ? statement.declaration : statement
    if (declaration?.type === 'VariableDeclaration')
      return declaration.declarations.map(({ id }) => file.text.slice(id.start, id.end))
    const id = declaration && 'id' in declaration ? declaration.id : null
    return id?.type === 'Identifier' ? [id.name] : []
  })
  const names = [...file.path.replace(/\.tsx?$/, '').split('/'), ...declared]
  return names.map((name) => ({ name, words: wordsOf(name) }))
}

const stands = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`))

interface Named {
  path: string
  names: ReturnType<typeof namesOf>
}

/** Names made of a word in a place that the page does not give it. */
const strays = ({ path, names }: Named, { word, places }: Word): string[] =>
  stands(path, places)
    ? []
    : names.filter(({ words }) => words.includes(word)).map(({ name }) => `${path}: ${name}`)

/** Identifiers of any kind that are made of one of these words. */
function identifiersOf(file: SourceFile, some: readonly string[]): string[] {
  const pattern = new RegExp(some.join('|'), 'i')
  if (!pattern.test(file.text)) return []
  const found: string[] = []
  const visit = (node: Node): void => {
    const name = NAMES.test(node.type) && 'name' in node ? node.name : ''
    if (typeof name === 'string' && wordsOf(name).some((word) => some.includes(word)))
      found.push(`${file.path}: ${name}`)
    childrenOf(node).forEach(visit)
  }
  visit(parseSource(file))
  return found
}

const files = sourceFiles()
const named: Named[] = files.map((file) => ({ path: file.path, names: namesOf(file) }))

describe('the words of devnet/docs/glossary.md', () => {
  test('given a row, then its word is there once, and each of its places exists', () => {
    expect(words.length).toBeGreaterThan(20)
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
    const places = words.flatMap((each) => each.places)
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([])
  })

  test.each(words)(
    'given $word, then names are made of it in each of its places',
    ({ word, places }) => {
      const empty = places.filter((place) => {
        const own = named.filter(({ path }) => stands(path, [place])).flatMap(({ names }) => names)
        return !own.some((name) => name.words.includes(word))
      })
      expect(empty).toEqual([])
    },
  )

  test.each(settled)('given $word, then no name is made of it anywhere else', (word) => {
    expect(named.flatMap((each) => strays(each, word))).toEqual([])
  })

  test('given a word that is no name, then nothing is called so', () => {
    expect(retired).toContain('told')
    expect(files.flatMap((file) => identifiersOf(file, retired))).toEqual([])
  })
})

describe('a name that is wrong', () => {
  test.each([
    ['devnet/l2/open-stages.ts', 'export const x = 1', ['open-stages']],
    ['devnet/l2/x.ts', 'export interface StageOptions {}', ['StageOptions']],
    ['devnet/l2/x.ts', 'function f(stage: string) { return stage }', []],
    ['suites/clients/dapp/stages.ts', 'export const stageOf = 1', []],
  ])('given %s with %j, then it is found: %j', (path, text, names) => {
    const stage = { word: 'stage', places: ['suites/clients/dapp'] }
    expect(strays({ path, names: namesOf({ path, text }) }, stage)).toEqual(
      names.map((name) => `${path}: ${name}`),
    )
  })

  test('given a parameter, a property or a part of a name, then a word that is none is found in it', () => {
    const text = 'const f = (told: { isTold: 1 }) => TOLD_FOR // told\nconst older = "told"'
    expect(identifiersOf({ path: 'x.ts', text }, ['told'])).toEqual([
      'x.ts: told',
      'x.ts: isTold',
      'x.ts: TOLD_FOR',
    ])
  })
})
