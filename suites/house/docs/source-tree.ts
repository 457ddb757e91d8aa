import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A node of the syntax tree (ESTree with types), as far as these pages look into it. */
export interface Syntax {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

export interface SourceFile {
  /** From the root of the project. */
  path: string
  text: string
  program: Syntax
  comments: { type: string; value: string; start: number; end: number }[]
}

/** @param path from the root of the project */
export function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const { program, comments } = parseSync(path, text)
  return { path, text, program: program as unknown as Syntax, comments }
}

/** Sources of a folder and those below, without tests and generated files, in a fixed order. */
export function sourcePaths(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name))
    .filter((entry) => !/\.(test|abi)\.ts$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}

/** Every node of a tree, parents first. */
export function* walk(node: Syntax): Generator<Syntax> {
  yield node
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (isSyntax(child)) yield* walk(child)
    }
  }
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof Object(value).type === 'string'
}

/** The TSDoc comment right before a position, as one line of text per paragraph. */
export function docBefore({ comments, text }: SourceFile, position: number): string[] {
  const comment = comments.findLast(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= position &&
      text.slice(end, position).trim() === '',
  )
  const lines = (comment?.value ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
    .join('\n')
  return lines
    .split(/\n\s*\n|\s*@/)
    .slice(0, 1)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
    .filter((paragraph) => paragraph !== '')
}
