import type { Class, Expression, MethodDefinition, Node } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { childrenOf, parseSource } from './parse-source.ts'
import { type SourceFile, sourceFiles } from './source-files.ts'

/** What begins something that goes on after the call, by the name of what is called. */
const BEGINS =
  /^(?:then|catch|finally|after|every|listen|connect|spawn|fork|execFile|once|setTimeout|setInterval)$/
/** What lives from when it is made. */
const LIVES = /^(?:Worker|WebSocket|Socket|Server)$/

const RUNS_LATER = /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/

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
  const look = (node: Node, owner: Class): void => {
    if (RUNS_LATER.test(node.type)) return
    const own = node.type === 'CallExpression' && ownMethod(node.callee, owner)
    if (own) look(own, owner)
    const called = node.type === 'CallExpression' ? nameOf(node.callee, file) : ''
    const made = node.type === 'NewExpression' ? nameOf(node.callee, file) : ''
    const forgets = node.type === 'UnaryExpression' && node.operator === 'void'
    if (BEGINS.test(called) || LIVES.test(made) || forgets)
      found.push(`${file.path} ${owner.id?.name ?? 'class'}: ${called || made || 'void'}`)
    for (const child of childrenOf(node)) look(child, owner)
  }
  const visit = (node: Node): void => {
    const owner = node.type === 'ClassDeclaration' || node.type === 'ClassExpression' ? node : null
    const body = owner && methodsOf(owner).find(({ kind }) => kind === 'constructor')?.value.body
    if (body) look(body, owner)
    for (const child of childrenOf(node)) visit(child)
  }
  if (file.text.includes('constructor(')) visit(parseSource(file))
  return found
}

const methodsOf = ({ body }: Class) =>
  body.body.filter((member): member is MethodDefinition => member.type === 'MethodDefinition')

/** The body of the method that `this.method()` calls. */
function ownMethod(callee: Expression, owner: Class): Node | null | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ThisExpression') return null
  const name = memberName(callee.property)
  return methodsOf(owner).find(({ key }) => name === memberName(key))?.value.body
}

const memberName = (key: Node): string | undefined =>
  key.type === 'PrivateIdentifier'
    ? `#${key.name}`
    : key.type === 'Identifier'
      ? key.name
      : undefined

const nameOf = (callee: Expression, { text }: SourceFile): string =>
  (callee.type === 'MemberExpression' && memberName(callee.property)) ||
  text.slice(callee.start, callee.end)

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
