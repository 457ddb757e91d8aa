import { expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { sourceFiles } from './source-files.ts'

/** The files that lead back to themselves by imports, types included. */
function circular(files: readonly { path: string; text: string }[]): string[] {
  const left = new Map(files.map(({ path, text }) => [path, importsOf(path, text)]))
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

test('given two files that import each other, then they are found, and a third is not', () => {
  const files = [
    { path: 'devnet/a.ts', text: "import { b } from './b.ts'" },
    { path: 'devnet/b.ts', text: "import type { a } from './a.ts'" },
    { path: 'devnet/c.ts', text: "import { a } from './a.ts'" },
  ]
  expect(circular(files)).toEqual(['devnet/a.ts', 'devnet/b.ts'])
})
