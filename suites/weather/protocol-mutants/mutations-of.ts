import { type Node, parseSync } from 'oxc-parser'
import type { Mutation, MutationKind } from './mutation.ts'

/** Bounds are moved by one, equality is turned. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
}

/** Words for people and numbers for graphs: no client of the protocol sees a change of these. */
const FOR_PEOPLE = /^(await )?(this\.#?|[a-z]+\.)*(log|logger|metrics?|recorder)\b/
const ERRORS = /Error|Invalid|Refusal|Rejected/
/** Around an expression, and of types alone. */
const CASTS = /^TS(As|NonNull|Satisfies)Expression$/

type Tell = (node: Node, kind: MutationKind, to: string) => void
type TextOf = (node: Node) => string

/**
 * All changes of a file that a machine can think of: conditions turned, bounds moved, statements dropped, wrong
 * operands and fields. Types, imports, words of errors and of logs stay as they are.
 *
 * @param file from the root of the project
 */
export function mutationsOf(file: string, text: string): Mutation[] {
  const { program } = parseSync(file, text)
  const textOf: TextOf = ({ start, end }) => text.slice(start, end)
  const siblings = fieldsByOwner(program, textOf)
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const found = new Map<string, Mutation>()
  const tell: Tell = ({ start, end }, kind, to) => {
    const line = lineStarts.findLastIndex((each) => each <= start) + 1
    const column = start - lineStarts[line - 1]! + 1
    const id = `${file}:${line}:${column} ${kind}`
    const from = text.slice(start, end)
    if (found.has(id) || from === to) return
    found.set(id, { id, file, line, kind, start, end, from, to })
  }
  const visit = (node: Node, parent?: Node): void => {
    if (hasNoMeaning(node, textOf)) return
    changesAt(node, parent, textOf, tell)
    if (isField(node, parent)) changeField(node, siblings, textOf, tell)
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(program)
  return [...found.values()]
}

function hasNoMeaning(node: Node, textOf: TextOf): boolean {
  const { type } = node
  if (type.startsWith('TS')) return !CASTS.test(type)
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return true
  if (type === 'ExportNamedDeclaration') return !node.declaration
  if (type === 'NewExpression') return ERRORS.test(textOf(node.callee))
  return type === 'ExpressionStatement' && FOR_PEOPLE.test(textOf(node))
}

function changesAt(node: Node, parent: Node | undefined, textOf: TextOf, tell: Tell): void {
  if ('test' in node && node.test && /^(If|While|Conditional)/.test(node.type))
    tell(node.test, 'turned', `!(${textOf(node.test)})`)
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression')
    changeOperator(node, textOf, tell)
  if (node.type === 'Literal') changeLiteral(node, parent, textOf, tell)
  if (isDroppable(node, parent, textOf)) tell(node, 'dropped', ';')
  if (node.type !== 'CallExpression') return
  const [first, second] = node.arguments
  if (first && second && isName(first) && isName(second)) tell(first, 'operand', textOf(second))
}

const isName = ({ type }: Node) => type === 'Identifier' || type === 'MemberExpression'

function changeOperator(
  node: Extract<Node, { type: 'BinaryExpression' | 'LogicalExpression' }>,
  textOf: TextOf,
  tell: Tell,
): void {
  const [left, right] = [textOf(node.left), textOf(node.right)]
  const kinds = [
    ['bound', COMPARISONS],
    ['logic', LOGIC],
    ['arithmetic', ARITHMETIC],
  ] as const
  // A chain of words is no sum.
  const isWords = [left, right].some((each) => /^['"`]/.test(each))
  for (const [kind, others] of kinds) {
    const other = others[node.operator]
    if (other && !(kind === 'arithmetic' && isWords)) tell(node, kind, `${left} ${other} ${right}`)
  }
}

/** Of waits, sizes and tries in the hundreds one more or less has no meaning; the name of a field is no number. */
function changeLiteral(
  node: Extract<Node, { type: 'Literal' }>,
  parent: Node | undefined,
  textOf: TextOf,
  tell: Tell,
): void {
  const { value } = node
  if (parent?.type === 'Property' && parent.key === node) return
  if (typeof value === 'boolean') tell(node, 'boolean', String(!value))
  if (typeof value === 'bigint') tell(node, 'off by one', `(${textOf(node)} + 1n)`)
  if (typeof value === 'number' && value < 200) tell(node, 'off by one', `(${textOf(node)} + 1)`)
}

/** What is said for its effect alone, and what goes on or leaves early. */
function isDroppable(node: Node, parent: Node | undefined, textOf: TextOf): boolean {
  if (node.type === 'ContinueStatement' || node.type === 'ThrowStatement') return true
  if (node.type === 'ReturnStatement') return !node.argument && parent?.type === 'IfStatement'
  return node.type === 'ExpressionStatement' && !/^(super|this)\(/.test(textOf(node))
}

type Fields = ReadonlyMap<string, readonly string[]>
type Member = Extract<Node, { type: 'MemberExpression' }>

/** What is read of each owner by name, in the order of the file. */
function fieldsByOwner(program: Node, textOf: TextOf): Fields {
  const fields = new Map<string, string[]>()
  const visit = (node: Node, parent?: Node): void => {
    if (isField(node, parent)) {
      const [owner, name] = [textOf(node.object), textOf(node.property)]
      const known = fields.get(owner) ?? []
      if (!known.includes(name)) fields.set(owner, [...known, name])
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(program)
  return fields
}

/** Read as a value: not called, not written. */
function isField(node: Node, parent: Node | undefined): node is Member {
  if (node.type !== 'MemberExpression' || node.computed || isOptional(node) || !parent) return false
  if (parent.type === 'CallExpression' || parent.type === 'NewExpression')
    return parent.callee !== node
  if (parent.type === 'MemberExpression') return parent.object !== node
  if (parent.type === 'UnaryExpression') return parent.operator === '!'
  if (parent.type === 'AssignmentExpression' || parent.type === 'ForOfStatement')
    return parent.left !== node
  return !/^(Update|Tagged)|Pattern$/.test(parent.type)
}

/** What follows `?.` may not be there. */
function isOptional(node: Node): boolean {
  if (node.type === 'MemberExpression') return node.optional || isOptional(node.object)
  return node.type === 'CallExpression' && (node.optional || isOptional(node.callee))
}

function changeField(node: Member, siblings: Fields, textOf: TextOf, tell: Tell): void {
  const [owner, name] = [textOf(node.object), textOf(node.property)]
  const names = siblings.get(owner) ?? []
  const other = names[(names.indexOf(name) + 1) % names.length]
  if (other && other !== name) tell(node, 'field', `${owner}.${other}`)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
