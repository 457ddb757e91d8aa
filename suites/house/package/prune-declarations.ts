import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placeOf } from '../place-of.ts'

/** `from './x.js'` or by a room's short name, and `import('./x.js')` in an inferred type. */
const OWN_IMPORT = /(?:from|import)\s*\(?\s*['"]([.#][^'"]+)['"]/g

/**
 * Removes the declarations that no entry leads to: nobody outside can name what they declare, and small
 * as they are, each takes a whole block of a user's disk.
 *
 * @param outDir holds the built files
 * @param entries declarations of the package's entries, relative to outDir
 */
export function pruneDeclarations(outDir: string, entries: readonly string[]): void {
  const reached = new Set(entries.map((entry) => join(outDir, entry)))
  // A set gives out what is added to it while one walks it.
  for (const file of reached) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(OWN_IMPORT)) {
      const module = specifier!.startsWith('#')
        ? join(outDir, placeOf(specifier!))
        : join(dirname(file), specifier!)
      const imported = module.replace(/\.[jt]s$/, '.d.ts')
      if (existsSync(imported)) reached.add(imported)
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: outDir })) {
    const file = join(outDir, name)
    if (!reached.has(file)) rmSync(file)
  }
}
