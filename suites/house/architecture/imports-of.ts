import { posix } from 'node:path'
import { placeOf } from '../place-of.ts'

const IMPORT = /(?:from|import)\s*\(?\s*'((?:\.{1,2}\/|#)[^']+)'/g

/** The files of the repository that a file imports, as paths relative to its root. */
export function importsOf(path: string, text: string): string[] {
  return specifiersOf(text).map((specifier) =>
    specifier.startsWith('#') ? placeOf(specifier) : posix.join(posix.dirname(path), specifier),
  )
}

/** What a file imports of ours, as it is written. */
export function specifiersOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1]!)
}
