import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { placeOf } from '../place-of.ts'
import { ROOT } from './source-tree.ts'
import { publicEntries } from './write-api-pages.ts'

const REEXPORT = /^export \{([^}]*)\} from '([^']+)'/gm
const FUNCTION =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?(?:function (\w+)|const (\w+)(?:: \w+)? = (?:\(|async \(|\w+\.extend))([\s\S]*?)(?=^[})])/gm

interface PublicFunction {
  name: string
  docstring: string
  /** From its parameters to its end. */
  body: string
}

function functionsOf(entry: string): PublicFunction[] {
  const text = readFileSync(join(ROOT, entry), 'utf8')
  return [...text.matchAll(REEXPORT)].flatMap(([, list, path]) => {
    const names = list!.split(',').map((word) => word.trim().split(' as ')[0]!)
    const file = path!.startsWith('#') ? placeOf(path!) : join(dirname(entry), path!)
    const source = readFileSync(join(ROOT, file), 'utf8')
    return [...source.matchAll(FUNCTION)]
      .map(([, docstring = '', name, constant, body]) => {
        return { name: (name ?? constant)!, docstring, body: body! }
      })
      .filter(({ name }) => names.includes(name))
  })
}

const functions = [...publicEntries()].flatMap(([source, entry]) =>
  functionsOf(source).map((each) => ({ ...each, entry })),
)
const namesOf = (found: typeof functions) => found.map(({ entry, name }) => `${entry} ${name}`)

test('given an entry of the package, then its functions are found', () => {
  for (const entry of publicEntries().values())
    expect(
      functions.filter((each) => each.entry === entry),
      entry,
    ).not.toEqual([])
  expect(functions.length).toBeGreaterThan(35)
})

test('given a function of the public face, then its docstring says what it does and shows it', () => {
  const bare = functions.filter(
    ({ docstring }) => !/^ \* ?\w/m.test(docstring) || !docstring.includes('@example'),
  )
  expect(namesOf(bare)).toEqual([])
})

test('given a function of the public face that throws, then its docstring names the error', () => {
  const throwing = functions.filter(({ body }) => /\bthrow new (?!Error\b)\w|: never \{/.test(body))
  expect(throwing.length).toBeGreaterThan(5)
  expect(namesOf(throwing.filter(({ docstring }) => !docstring.includes('@throws')))).toEqual([])
})
