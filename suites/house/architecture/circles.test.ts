import { expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { sourceFiles } from './source-files.ts'

/** The files that lead back to themselves by imports, types included. */
function circular(files: readonly { path: string; text: string }[]): string[] {
  return leadingBack(new Map(files.map(({ path, text }) => [path, importsOf(path, text)])))
}

/** Of each what it imports; what is left is in a circle, or on a way from one to another. */
function leadingBack(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports)
  // Whoever imports nothing that is left is in no circle; nor is who nothing that is left imports.
  for (let size = -1; size !== left.size; ) {
    size = left.size
    const imported = new Set([...left.values()].flat())
    for (const [path, targets] of left)
      if (!imported.has(path) || !targets.some((target) => left.has(target))) left.delete(path)
  }
  return [...left.keys()]
}

test('given every file, then no import leads back to where it began', () => {
  expect(circular(sourceFiles())).toEqual([])
})

/**
 * The folders that lead back to themselves by what lies in them, each seen as one thing among its neighbours:
 * `devnet/l1` beside `devnet/l2`, and `devnet/l2/node/rpc/calls` beside `simulate`.
 */
function circularFolders(files: readonly { path: string; text: string }[]): string[] {
  const imports = new Map<string, Set<string>>()
  for (const { path, text } of files)
    for (const target of importsOf(path, text)) {
      const [from, to] = neighbours(path, target)
      // Of the rooms themselves the table of ARCHITECTURE.md says who may import whom.
      if (from.includes('/') && from !== to)
        imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  return leadingBack(new Map([...imports].map(([from, to]) => [from, [...to]])))
}

/** Where the ways to two files part: the two of one folder in which they lie. */
function neighbours(path: string, target: string): [string, string] {
  const [from, to] = [path.split('/'), target.split('/')]
  const parting = from.findIndex((name, at) => name !== to[at])
  return [from.slice(0, parting + 1).join('/'), to.slice(0, parting + 1).join('/')]
}

test('given every folder, then no import leads back to where it began', () => {
  // A mutant names whatever it may break, and the stand-ins of mocks serve it.
  const sources = sourceFiles().filter(
    ({ path }) => !/\.test\.tsx?$|\/testing\/|^mocks\//.test(path),
  )
  expect(circularFolders(sources)).toEqual([])
})

test('given two folders that import each other by other files, then they are found', () => {
  const files = [
    { path: 'devnet/a/one.ts', text: "import { b } from '../b/one.ts'" },
    { path: 'devnet/b/two.ts', text: "import type { a } from '../a/two.ts'" },
    { path: 'devnet/c/one.ts', text: "import { a } from '../a/two.ts'" },
  ]
  expect(circularFolders(files)).toEqual(['devnet/a', 'devnet/b'])
})

test('given two files that import each other, then they are found, and a third is not', () => {
  const files = [
    { path: 'devnet/a.ts', text: "import { b } from './b.ts'" },
    { path: 'devnet/b.ts', text: "import type { a } from './a.ts'" },
    { path: 'devnet/c.ts', text: "import { a } from './a.ts'" },
  ]
  expect(circular(files)).toEqual(['devnet/a.ts', 'devnet/b.ts'])
})
