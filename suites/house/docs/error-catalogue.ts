import {
  isSyntax,
  readSource,
  type SourceFile,
  type Syntax,
  sourcePaths,
  walk,
} from './source-tree.ts'

/** What a user runs. */
export const CATALOGUED_FOLDERS = [
  'enclave-sim',
  'devnet',
  'mocks',
  'reports',
  'suites/gate/conformance',
]
const BASES = ['RollbedError', 'JsonRpcError']

export interface CataloguedError {
  /** A stable code, or the number of a JSON-RPC error. */
  code: string
  /** As templates; `‹name›` stands for a value. */
  messages: Set<string>
  hints: Set<string>
  paths: Set<string>
}

interface ErrorClass {
  name: string
  base: string
  path: string
  parameters: string[]
  /** What it hands to its base; undefined: what it got. */
  superArguments: Syntax[] | undefined
  /** Codes that the type of its first parameter allows. */
  codes: string[]
}

/** Every code that our sources can throw, found in their syntax. */
export function errorCatalogue(): CataloguedError[] {
  const files = CATALOGUED_FOLDERS.flatMap(sourcePaths)
    .filter((path) => !path.includes('/testing/'))
    .map(readSource)
  const { all, byName } = errorClasses(files)
  const found = new Map<string, CataloguedError>()
  const add = (path: string, code: string, message?: string, hint?: string) => {
    const known = found.get(code) ?? {
      code,
      messages: new Set(),
      hints: new Set(),
      paths: new Set(),
    }
    if (message) known.messages.add(message)
    if (hint) known.hints.add(hint)
    known.paths.add(path)
    found.set(code, known)
  }

  for (const one of all) {
    for (const code of one.codes) add(one.path, code)
    const [code, message, options] = one.superArguments ?? []
    if (code && isLiteral(code)) add(one.path, textOf(code), textOf(message), hintOf(options))
  }
  for (const file of files) {
    for (const node of walk(file.program)) {
      const [number, text] = numberedText(node)
      if (number) add(file.path, number, text)
      if (node.type !== 'NewExpression') continue
      const name = nameOf(node.callee)
      const [code, message, options] = node.arguments as Syntax[]
      if (!code || !takesCode(name, byName)) continue
      for (const literal of literalsOf(code)) {
        add(file.path, textOf(literal), textOf(message), hintOf(options) ?? fixedHint(name, byName))
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Classes with an error of ours above them; of two with one name the later counts for `new`. */
function errorClasses(files: SourceFile[]): { all: ErrorClass[]; byName: Map<string, ErrorClass> } {
  const all = files.flatMap((file) =>
    [...walk(file.program)]
      .filter(({ type, superClass }) => type === 'ClassDeclaration' && isSyntax(superClass))
      .map((node) => readClass(file, node)),
  )
  const classes = new Map<string, ErrorClass>()
  for (const base of BASES) {
    classes.set(base, { ...emptyClass(base), superArguments: undefined })
  }
  // Subclasses of subclasses: as deep as there are classes.
  for (let before = -1; before !== classes.size; ) {
    before = classes.size
    for (const one of all)
      if (classes.has(one.base) && !BASES.includes(one.name)) classes.set(one.name, one)
  }
  return { all: all.filter(({ base }) => classes.has(base)), byName: classes }
}

function readClass(file: SourceFile, node: Syntax): ErrorClass {
  const members = (node.body as { body: Syntax[] }).body
  const creation = members.find(({ kind }) => kind === 'constructor')?.value as Syntax | undefined
  const parameters = (creation?.params as Syntax[] | undefined) ?? []
  const call = creation && [...walk(creation)].find(isSuperCall)
  return {
    name: nameOf(node.id),
    base: nameOf(node.superClass),
    path: file.path,
    parameters: parameters.map((parameter) => nameOf(parameter)),
    superArguments: call?.arguments as Syntax[] | undefined,
    codes: parameters[0] ? allowedCodes(file, parameters[0]) : [],
  }
}

const emptyClass = (name: string): ErrorClass => ({
  name,
  base: '',
  path: '',
  parameters: [],
  superArguments: undefined,
  codes: [],
})

/** An entry of a table of JSON-RPC errors: `[-38010, 'nonce too low']`. */
function numberedText(node: Syntax): [number?: string, text?: string] {
  if (node.type !== 'ArrayExpression') return []
  const [number, text, ...more] = node.elements as (Syntax | null)[]
  if (!number || !text || more.length || !isNegative(number)) return []
  return text.type === 'Literal' ? [textOf(number), textOf(text)] : []
}

function isSuperCall({ type, callee }: Syntax): boolean {
  return type === 'CallExpression' && isSyntax(callee) && callee.type === 'Super'
}

/** The upper-case words of a union type that a parameter is annotated with. */
function allowedCodes({ program }: SourceFile, parameter: Syntax): string[] {
  const annotation = (parameter.typeAnnotation as Syntax | undefined)?.typeAnnotation
  const alias = isSyntax(annotation) ? nameOf(annotation.typeName) : ''
  const declaration = [...walk(program)].find(
    ({ type, id }) => type === 'TSTypeAliasDeclaration' && nameOf(id) === alias,
  )
  if (!alias || !declaration) return []
  return [...walk(declaration)]
    .filter(({ type, value }) => type === 'Literal' && /^[A-Z0-9_]+$/.test(String(value)))
    .map(({ value }) => String(value))
}

/** Whether the first argument of `new X(…)` becomes the code. */
function takesCode(name: string, classes: Map<string, ErrorClass>): boolean {
  const found = classes.get(name)
  if (!found) return false
  if (BASES.includes(name) || !found.superArguments) return true
  const [code] = found.superArguments
  return nameOf(code) !== '' && nameOf(code) === found.parameters[0]
}

function fixedHint(name: string, classes: Map<string, ErrorClass>): string | undefined {
  return hintOf(classes.get(name)?.superArguments?.[2])
}

function nameOf(node: unknown): string {
  return isSyntax(node) && typeof node.name === 'string' ? node.name : ''
}

function isLiteral(node: Syntax): boolean {
  return node.type === 'Literal' || isNegative(node)
}

function isNegative({ type, operator, argument }: Syntax): boolean {
  return type === 'UnaryExpression' && operator === '-' && isSyntax(argument) && isLiteral(argument)
}

/** Codes written out: one, or both sides of a condition. */
function literalsOf(node: Syntax): Syntax[] {
  if (node.type !== 'ConditionalExpression') return isLiteral(node) ? [node] : []
  return [node.consequent, node.alternate].filter(isSyntax).flatMap(literalsOf)
}

function hintOf(options: Syntax | undefined): string | undefined {
  const properties = (options?.properties as Syntax[] | undefined) ?? []
  const hint = properties.find(({ key }) => nameOf(key) === 'hint')
  return hint && isSyntax(hint.value) ? textOf(hint.value) : undefined
}

/** Text as it will read, `‹name›` for each value. */
function textOf(node: Syntax | undefined): string {
  if (!node) return ''
  switch (node.type) {
    case 'Literal':
      return String(node.value)
    case 'UnaryExpression':
      return `-${textOf(node.argument as Syntax)}`
    case 'TemplateLiteral': {
      const values = (node.expressions as Syntax[]).map(textOf)
      const parts = (node.quasis as { value: { cooked: string } }[]).map(
        ({ value }) => value.cooked,
      )
      return parts.map((part, index) => part + (values[index] ?? '')).join('')
    }
    case 'BinaryExpression':
      return node.operator === '+'
        ? textOf(node.left as Syntax) + textOf(node.right as Syntax)
        : '‹…›'
    case 'ConditionalExpression':
      return `${textOf(node.consequent as Syntax)} / ${textOf(node.alternate as Syntax)}`
    case 'MemberExpression':
      return `‹${nameOf(node.property) || '…'}›`
    case 'Identifier':
      return `‹${nameOf(node)}›`
    default:
      return '‹…›'
  }
}
