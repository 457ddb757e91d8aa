import { posix } from 'node:path'

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

/** The files of the repository that a file imports, as paths relative to its root. */
export function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => posix.join(posix.dirname(path), match[1]!))
}
