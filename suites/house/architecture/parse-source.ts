import { type Node, type Program, parseSync } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

/**
 * The syntax tree of a file; types are not looked at. TypeScript 7 has no parser to call.
 *
 * @throws Error where the text is no TypeScript
 */
export function parseSource({ path, text }: SourceFile): Program {
  // AssemblyScript decorates functions, too; every other letter keeps its place.
  const undecorated = text.replace(/^\s*@[a-z]+\b/gm, (found) => ' '.repeat(found.length))
  const { program, errors } = parseSync(path, undecorated)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  return program
}

/** What a node is made of, in the order of its members. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
