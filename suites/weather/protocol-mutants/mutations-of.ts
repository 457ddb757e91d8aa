import ts from 'typescript-6'
import { parseSource } from '#suites/house/architecture/parse-source'
import type { Mutation, MutationKind } from './mutation.ts'

/** Bounds are moved by one, equality is turned. */
const COMPARISONS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
}
const LOGIC: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
}
const ARITHMETIC: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '+',
  [ts.SyntaxKind.SlashToken]: '*',
  [ts.SyntaxKind.PercentToken]: '*',
}

/** Words for people and numbers for graphs: no client of the protocol sees a change of these. */
const IS_TOLD = /^(await )?(this\.#?|[a-z]+\.)*(log|logger|metrics?|recorder)\b/

type Tell = (node: ts.Node, kind: MutationKind, to: string) => void

/**
 * All changes of a file that a machine can think of: conditions turned, bounds moved, statements dropped, wrong
 * operands and fields. Types, imports, words of errors and of logs stay as they are.
 *
 * @param file from the root of the project
 */
export function mutationsOf(file: string, text: string): Mutation[] {
  const source = parseSource({ path: file, text })
  const siblings = fieldsByOwner(source)
  const found = new Map<string, Mutation>()
  const tell: Tell = (node, kind, to) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const { line, character } = source.getLineAndCharacterOfPosition(start)
    const id = `${file}:${line + 1}:${character + 1} ${kind}`
    const from = text.slice(start, end)
    if (found.has(id) || from === to) return
    found.set(id, { id, file, line: line + 1, kind, start, end, from, to })
  }
  const visit = (node: ts.Node): void => {
    if (hasNoMeaning(node, source)) return
    changesAt(node, source, tell)
    fieldAt(node, source, siblings, tell)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()]
}

function hasNoMeaning(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return true
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isNewExpression(node))
    return /Error|Invalid|Refusal|Rejected/.test(node.expression.getText(source))
  return ts.isExpressionStatement(node) && IS_TOLD.test(node.getText(source))
}

function changesAt(node: ts.Node, source: ts.SourceFile, tell: Tell): void {
  const textOf = (each: ts.Node) => each.getText(source)
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) turn(node.expression)
  if (ts.isConditionalExpression(node)) turn(node.condition)
  if (ts.isBinaryExpression(node)) changeBinary(node, textOf, tell)
  if (ts.isNumericLiteral(node) && !isBudget(node))
    tell(node, 'off by one', `(${textOf(node)} + 1)`)
  if (ts.isBigIntLiteral(node)) tell(node, 'off by one', `(${textOf(node)} + 1n)`)
  if (node.kind === ts.SyntaxKind.TrueKeyword) tell(node, 'boolean', 'false')
  if (node.kind === ts.SyntaxKind.FalseKeyword) tell(node, 'boolean', 'true')
  if (isDroppable(node, textOf)) tell(node, 'dropped', ';')
  if (ts.isCallExpression(node) && node.arguments.length > 1) swap(node.arguments)

  function turn(condition: ts.Expression): void {
    tell(condition, 'turned', `!(${textOf(condition)})`)
  }

  function swap([first, second]: readonly ts.Expression[]): void {
    const areAlike = [first, second].every(
      (each) => ts.isIdentifier(each!) || ts.isPropertyAccessExpression(each!),
    )
    if (areAlike) tell(first!, 'operand', textOf(second!))
  }
}

/** Waits, sizes and tries in the hundreds: one more or less has no meaning. And the name of a field is no number. */
function isBudget(node: ts.NumericLiteral): boolean {
  const { parent } = node
  return Number(node.text) >= 200 || (ts.isPropertyAssignment(parent) && parent.name === node)
}

function changeBinary(
  node: ts.BinaryExpression,
  textOf: (each: ts.Node) => string,
  tell: Tell,
): void {
  const { left, operatorToken, right } = node
  const kinds = [
    ['bound', COMPARISONS],
    ['logic', LOGIC],
    ['arithmetic', ARITHMETIC],
  ] as const
  // A chain of words is no sum.
  const isWords = [left, right].some((each) => /^['"`]/.test(textOf(each)))
  for (const [kind, others] of kinds) {
    const other = others[operatorToken.kind]
    if (other && !(kind === 'arithmetic' && isWords))
      tell(node, kind, `${textOf(left)} ${other} ${textOf(right)}`)
  }
}

/** What is said for its effect alone, and what goes on or leaves early. */
function isDroppable(node: ts.Node, textOf: (each: ts.Node) => string): boolean {
  if (ts.isContinueStatement(node)) return true
  if (ts.isReturnStatement(node)) return !node.expression && ts.isIfStatement(node.parent)
  if (ts.isThrowStatement(node)) return true
  return ts.isExpressionStatement(node) && !/^(super|this)\(/.test(textOf(node))
}

type Fields = ReadonlyMap<string, readonly string[]>

/** What is read of each owner by name, in the order of the file. */
function fieldsByOwner(source: ts.SourceFile): Fields {
  const fields = new Map<string, string[]>()
  const visit = (node: ts.Node): void => {
    if (isField(node)) {
      const owner = node.expression.getText(source)
      const known = fields.get(owner) ?? []
      if (!known.includes(node.name.text)) fields.set(owner, [...known, node.name.text])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return fields
}

/** Read as a value: not called, not written. */
function isField(node: ts.Node): node is ts.PropertyAccessExpression {
  if (!ts.isPropertyAccessExpression(node) || ts.isOptionalChain(node)) return false
  const { parent } = node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent)) return false
  return !(ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent))
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function fieldAt(node: ts.Node, source: ts.SourceFile, siblings: Fields, tell: Tell): void {
  if (!isField(node)) return
  const owner = node.expression.getText(source)
  const names = siblings.get(owner) ?? []
  const other = names[(names.indexOf(node.name.text) + 1) % names.length]
  if (other && other !== node.name.text) tell(node, 'field', `${owner}.${other}`)
}
