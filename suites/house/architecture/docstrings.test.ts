import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { ROOT, sourceFiles } from './source-files.ts'

/** A docstring, if there is one, then an exported function: its name, and all of it up to its end. */
const FUNCTION =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?function\*? (\w+)([\s\S]*?)\n}\n/g
/** An error with a code of its own; a plain `Error` is a fault of the program. */
const THROWS = /\bthrow (?:new (?!Error\b)\w+|(?!new\b)\w+\()/
/** A line of an example that ends with what it gives. */
const SHOWN = /^ \* (\S.*) \/\/ (\S.*)$/gm

const files = sourceFiles().filter(({ path }) => !/\.(test|spec)\.tsx?$|\/assembly\//.test(path))
const functionsOf = (text: string) =>
  [...text.matchAll(FUNCTION)].map(([, docstring = '', name, body]) => {
    return { docstring, name: name!, body: body! }
  })

/** What is undocumented of the errors that a file's exported functions throw. */
const unnamedErrors = (path: string, text: string) =>
  functionsOf(text)
    .filter(({ docstring, body }) => THROWS.test(body) && !docstring.includes('@throws'))
    .map(({ name }) => `${path} ${name}`)

describe('a function that others import', () => {
  // A command of `rollbed` is registered by its function, and throws when it is run.
  const isCommand = (path: string) => path.startsWith('devnet/cli/')

  test('given one that throws an error of ours, then its docstring names it with @throws', () => {
    const rooms = files.filter(({ path }) => /^(devnet|enclave-sim|reports)\//.test(path))
    expect(rooms.length).toBeGreaterThan(700)
    const unnamed = rooms
      .flatMap(({ path, text }) => unnamedErrors(path, text))
      .filter((each) => !(isCommand(each) && /add\w+Command$/.test(each)))
    expect(unnamed).toEqual([])
  })

  test('given one that throws without saying so, then it is found', () => {
    const text = 'export function take() {\n  throw new Late()\n}\n'
    expect(unnamedErrors('a.ts', text)).toEqual(['a.ts take'])
  })

  test('given one of the enclave that another room imports, then it has a docstring', () => {
    const imported = new Set(
      files
        .filter(({ path }) => !path.startsWith('enclave-sim/'))
        .flatMap(({ path, text }) =>
          [...text.matchAll(/import \{([^}]*)\} from '[.#][^']+'/g)].flatMap(([line, names]) =>
            names!.split(',').map((name) => {
              const bare = name.trim().split(' as ')[0]!
              return `${importsOf(path, line)} ${bare}`
            }),
          ),
        ),
    )
    const ofEnclave = files
      .filter(({ path }) => path.startsWith('enclave-sim/'))
      .flatMap(({ path, text }) =>
        functionsOf(text).map((each) => ({ ...each, where: `${path} ${each.name}` })),
      )
      .filter(({ where }) => imported.has(where))
    expect(ofEnclave.length).toBeGreaterThan(100)
    expect(ofEnclave.filter(({ docstring }) => !docstring).map(({ where }) => where)).toEqual([])
  })
})

describe('an example of the protocol', () => {
  const shown = files
    .filter(({ path }) => path.startsWith('enclave-sim/protocol/'))
    .flatMap(({ path, text }) =>
      functionsOf(text).flatMap(({ docstring }) =>
        [...(docstring.split('@example')[1] ?? '').matchAll(SHOWN)].map(
          ([, call, value]) => [path, call!, value!] as const,
        ),
      ),
    )

  test('given all of them, then they are found', () => {
    expect(shown.length).toBeGreaterThan(15)
  })

  test.each(shown)('given %s, when `%s` is run, then it gives %s', async (path, call, value) => {
    const exported = (await import(join(ROOT, path))) as Record<string, unknown>
    const run = new Function(...Object.keys(exported), `return [${call}, ${value}]`)
    const [given, wanted] = run(...Object.values(exported))
    expect(given).toEqual(wanted)
  })
})
