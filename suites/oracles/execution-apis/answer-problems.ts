import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const members = z.record(z.string(), z.string())
const shape = z.strictObject({
  /** No members but these. */
  closed: z.boolean().default(false),
  required: members.default({}),
  optional: members.default({}),
  /** What the OP stack adds. */
  op: members.default({}),
  /** Also the shape that follows from the member `type`. */
  byType: members.optional(),
})
const file = z.strictObject({ shapes: z.record(z.string(), shape), methods: members })

const FILE = join(import.meta.dirname, '../../../fixtures/execution-apis/answers.yaml')
const { shapes, methods } = file.parse(parse(readFileSync(FILE, 'utf8'), { merge: true }))

/** Methods whose answers are known. */
export const METHODS: readonly string[] = Object.keys(methods)

const hex = (digits: string) => new RegExp(`^0x[0-9a-f]${digits}$`)
const PATTERNS: Record<string, RegExp> = {
  quantity: /^0x(0|[1-9a-f][0-9a-f]*)$/,
  hash: hex('{64}'),
  address: /^0x[0-9a-fA-F]{40}$/,
  byte: hex('{1,2}'),
  bytes: /^0x([0-9a-f]{2})*$/,
  bytes8: hex('{16}'),
  bytes32: hex('{64}'),
  bytes65: hex('{130}'),
  bytes256: hex('{512}'),
  decimal: /^(0|[1-9][0-9]*)$/,
}
const TESTS: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  ratio: (value) => typeof value === 'number' && value >= 0 && value <= 1,
}

/** Where an answer of a method is not what execution-apis says: `path: is VALUE, not KIND`. */
export function answerProblems(method: string, answer: unknown): string[] {
  const kind = methods[method]
  return kind ? problems(answer, kind, 'result') : [`${method}: is not in the list`]
}

/** Of several kinds the one that fits best counts: another kind of JSON value fits worst. */
function problems(value: unknown, kind: string, path: string): string[] {
  const found = kind.split(' | ').map((one) => problemsOfOne(value, one, path))
  const isOther = (line: string) =>
    [`${path}: is `, `${path}[]: is `].some((it) => line.startsWith(it))
  const count = (lines: string[]) => lines.length + (lines.some(isOther) ? 1_000 : 0)
  return found.reduce((best, other) => (count(other) < count(best) ? other : best))
}

function problemsOfOne(value: unknown, kind: string, path: string): string[] {
  const wrong = [`${path}: is ${JSON.stringify(value)}, not ${kind}`]
  if (kind.startsWith('[')) {
    if (!Array.isArray(value)) return wrong
    return value.flatMap((each) => problems(each, kind.slice(1, -1), `${path}[]`))
  }
  const pattern = PATTERNS[kind]
  if (pattern) return typeof value === 'string' && pattern.test(value) ? [] : wrong
  const test = TESTS[kind]
  if (test) return test(value) ? [] : wrong
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
  return problemsOfShape(value as Record<string, unknown>, kind, path)
}

function problemsOfShape(value: Record<string, unknown>, name: string, path: string): string[] {
  const { closed, required, optional, op, byType } = shapes[name]!
  const known: Record<string, string> = { ...required, ...optional, ...op }
  const missing = Object.keys(required).filter((key) => value[key] === undefined)
  const extra = closed ? Object.keys(value).filter((key) => !(key in known)) : []
  const typed = byType?.[String(value.type)]
  return [
    ...missing.map((key) => `${path}.${key}: is missing`),
    ...extra.map((key) => `${path}.${key}: is not known`),
    ...Object.entries(known).flatMap(([key, kind]) =>
      value[key] === undefined ? [] : problems(value[key], kind, `${path}.${key}`),
    ),
    ...(byType && !typed ? [`${path}.type: is ${JSON.stringify(value.type)}`] : []),
    ...(typed ? problemsOfShape(value, typed, path) : []),
  ]
}
