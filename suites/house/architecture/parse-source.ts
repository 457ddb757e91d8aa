import ts from 'typescript-6'
import type { SourceFile } from './source-files.ts'

/** The syntax tree of a file, with parents; types are not looked at. TypeScript 7 has no parser to call. */
export function parseSource({ path, text }: SourceFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}
