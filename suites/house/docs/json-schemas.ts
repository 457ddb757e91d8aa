import { join } from 'node:path'
import ts from 'typescript-6'
import { schemaIdOf } from '#devnet/cli/schema-id-of'
import { ROOT } from './source-tree.ts'

type Schema = Readonly<Record<string, unknown>>

export const SCHEMA_FOLDER = 'devnet/docs/schemas'
const SOURCE = 'devnet/cli/json-outputs.ts'
/** What JSON leaves out. */
const UNWRITTEN = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never

/** The JSON Schema of what each command prints with `--json`, by the words of the command. */
function jsonSchemas(): Record<string, Schema> {
  const path = join(ROOT, SOURCE)
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [path] }, ts.sys, ROOT)
  const program = ts.createProgram([path], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path)!
  const outputs = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'JsonOutputs')!
  const type = checker.getTypeAtLocation(outputs)
  return Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const output = checker.getTypeOfSymbolAtLocation(property, outputs)
      return [property.name, schemaOf(property.name, output, checker)]
    }),
  )
}

/** The schemas as the package has them: text by path. */
export function jsonSchemaFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(jsonSchemas()).map(([command, schema]) => [
      `${SCHEMA_FOLDER}/${command.replaceAll(' ', '-')}.schema.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  )
}

function schemaOf(command: string, output: ts.Type, checker: ts.TypeChecker): Schema {
  const defs: Record<string, Schema> = {}
  const body = new Writer(checker, defs).write(output)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaIdOf(command),
    title: `rollbed ${command} --json`,
    ...body,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  }
}

/** Writes types as they look in JSON; those that hold themselves become definitions. */
class Writer {
  readonly #checker: ts.TypeChecker
  readonly #defs: Record<string, Schema>
  readonly #within: ts.Type[] = []
  readonly #names = new Map<ts.Type, string>()

  constructor(checker: ts.TypeChecker, defs: Record<string, Schema>) {
    this.#checker = checker
    this.#defs = defs
  }

  write(type: ts.Type): Schema {
    const { flags } = type
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { const: this.#checker.typeToString(type) === 'true' }
    if (flags & ts.TypeFlags.Null) return { type: 'null' }
    if (flags & ts.TypeFlags.String) return { type: 'string' }
    if (flags & ts.TypeFlags.TemplateLiteral) return templateSchema(type as ts.TemplateLiteralType)
    if (flags & ts.TypeFlags.Number) return { type: 'number' }
    if (flags & ts.TypeFlags.BigInt) return { type: 'integer' }
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {}
    if (type.isUnion()) return this.#writeUnion(type)
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type))
      return this.#writeArray(type as ts.TypeReference)
    return this.#writeNamed(type)
  }

  #writeUnion({ types }: ts.UnionType): Schema {
    const written = types.filter(({ flags }) => !(flags & UNWRITTEN))
    const booleans = written.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)
    const others = written.filter((each) => booleans.length < 2 || !booleans.includes(each))
    const schemas = others.map((each) => this.write(each))
    if (booleans.length === 2) schemas.push({ type: 'boolean' })
    if (schemas.length === 1) return schemas[0]!
    if (schemas.every((each) => 'const' in each)) return { enum: schemas.map((each) => each.const) }
    return { anyOf: schemas }
  }

  #writeArray(type: ts.TypeReference): Schema {
    const items = this.#checker.getTypeArguments(type).map((each) => this.write(each))
    if (this.#checker.isArrayType(type)) return { type: 'array', items: items[0] }
    // A tuple with a rest, such as 'at least one'.
    const one = items.every((each) => JSON.stringify(each) === JSON.stringify(items[0]))
    return { type: 'array', items: one ? items[0] : { anyOf: items } }
  }

  #writeNamed(type: ts.Type): Schema {
    if (this.#within.includes(type)) {
      const name = type.aliasSymbol?.name ?? type.symbol.name
      this.#names.set(type, name)
      return { $ref: `#/$defs/${name}` }
    }
    this.#within.push(type)
    const schema = this.#writeObject(type)
    this.#within.pop()
    const name = this.#names.get(type)
    if (name === undefined) return schema
    this.#defs[name] = schema
    return { $ref: `#/$defs/${name}` }
  }

  #writeObject(type: ts.Type): Schema {
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of this.#checker.getPropertiesOfType(type)) {
      if (property.name.startsWith('__@')) continue
      const value = this.#checker.getTypeOfSymbol(property)
      if (value.getCallSignatures().length > 0 || value.flags & UNWRITTEN) continue
      const about = ts.displayPartsToString(property.getDocumentationComment(this.#checker))
      const schema = this.write(value)
      properties[property.name] = about ? { description: about, ...schema } : schema
      if (!mayBeAbsent(property, value)) required.push(property.name)
    }
    const rest = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String)
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(rest && { additionalProperties: this.write(rest) }),
    }
  }
}

function mayBeAbsent(property: ts.Symbol, value: ts.Type): boolean {
  if (property.flags & ts.SymbolFlags.Optional) return true
  const holds = (type: ts.Type): boolean =>
    type.isUnion()
      ? type.types.some(holds)
      : (type.flags & (UNWRITTEN | ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0
  return holds(value)
}

/** Hexadecimal text is the one form of template that our outputs have with a beginning of `0x`. */
function templateSchema({ texts }: ts.TemplateLiteralType): Schema {
  return texts[0] === '0x' ? { type: 'string', pattern: '^0x' } : { type: 'string' }
}
