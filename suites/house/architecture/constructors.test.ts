import ts from 'typescript-6'
import { describe, expect, test } from 'vitest'
import { parseSource } from './parse-source.ts'
import { type SourceFile, sourceFiles } from './source-files.ts'

/** What begins something that goes on after the call, by the name of what is called. */
const BEGINS =
  /^(?:then|catch|finally|after|every|listen|connect|spawn|fork|execFile|once|setTimeout|setInterval)$/
/** What lives from when it is made. */
const LIVES = /^(?:Worker|WebSocket|Socket|Server)$/

/** Each of them is one process, thread, connection or timer, and there is none before it has begun. */
const ARE_WHAT_THEY_BEGIN: readonly string[] = [
  'devnet/builder-codes/testing/api-process.ts ApiProcess',
  'devnet/dashboard/page/live.ts Live',
  'devnet/dashboard/page/node-connection.ts NodeConnection',
  'devnet/l2/node/rpc/workers/call-thread.ts CallThread',
  'suites/gate/conformance/time-limit.ts TimeLimit',
  'suites/system/end-to-end/rollbed-process.ts RollbedProcess',
]

/** What the constructors of a file begin, by class; a function that is made there runs later. */
function begunIn(file: SourceFile): string[] {
  const found: string[] = []
  const look = (node: ts.Node, owner: ts.ClassLikeDeclaration): void => {
    if (ts.isFunctionLike(node)) return
    const name = `${file.path} ${owner.name?.text ?? 'class'}`
    const own = ts.isCallExpression(node) && ownMethod(node.expression, owner)
    if (own) look(own, owner)
    const called = ts.isCallExpression(node) ? nameOf(node.expression) : ''
    const made = ts.isNewExpression(node) ? nameOf(node.expression) : ''
    if (BEGINS.test(called) || LIVES.test(made) || ts.isVoidExpression(node))
      found.push(`${name}: ${called || made || 'void'}`)
    ts.forEachChild(node, (child) => look(child, owner))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && node.body) look(node.body, node.parent)
    ts.forEachChild(node, visit)
  }
  if (file.text.includes('constructor(')) visit(parseSource(file))
  return found
}

/** The body of the method that `this.method()` calls. */
function ownMethod(callee: ts.Expression, owner: ts.ClassLikeDeclaration): ts.Node | undefined {
  if (!ts.isPropertyAccessExpression(callee)) return undefined
  if (callee.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined
  const method = owner.members.find((each) => each.name?.getText() === callee.name.text)
  return method && ts.isMethodDeclaration(method) ? method.body : undefined
}

const nameOf = (callee: ts.Expression): string =>
  ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText()

describe('a constructor', () => {
  test('given every class, then its constructor begins nothing that goes on (CONTRIBUTING.md)', () => {
    const begun = sourceFiles().flatMap(begunIn)
    const classes = new Set(begun.map((line) => line.split(':')[0]!))
    expect([...classes].sort()).toEqual([...ARE_WHAT_THEY_BEGIN].sort())
  })

  test.each([
    ['this.#ready = open().then(() => 1)', ['then']],
    ['clock.after(5, () => this.stop())', ['after']],
    ['void this.#watch()', ['void']],
    ['this.#thread = new Worker(FILE)', ['Worker']],
    ['this.#child = spawn("anvil")', ['spawn']],
    ['this.#open()', ['after']],
    ['this.#later = () => clock.after(5, stop)', []],
    ['this.#names = new Map(names)', []],
  ])('given `%s` in one, then it is found: %j', (statement, begun) => {
    const text = `class Inbox { constructor(clock) { ${statement} } #open() { clock.after(1, stop) } }`
    expect(begunIn({ path: 'x.ts', text })).toEqual(begun.map((what) => `x.ts Inbox: ${what}`))
  })
})
