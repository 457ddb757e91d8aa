import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

/** Entries of the package whose functions are held; the gate's own follow. */
const ENTRIES = ['devnet/index.ts', 'devnet/sdk/viem/index.ts', 'devnet/sdk/journal/index.ts']

const REEXPORT = /^export \{([^}]*)\} from '([^']+)'/gm
const FUNCTION = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?function (\w+)/gm

interface PublicFunction {
  name: string
  docstring: string
}

function functionsOf(entry: string): PublicFunction[] {
  const text = readFileSync(join(ROOT, entry), 'utf8')
  return [...text.matchAll(REEXPORT)].flatMap(([, list, path]) => {
    const names = list!.split(',').map((word) => word.trim().split(' as ')[0]!)
    const source = readFileSync(join(ROOT, dirname(entry), path!), 'utf8')
    return [...source.matchAll(FUNCTION)]
      .map(([, docstring = '', name]) => ({ name: name!, docstring }))
      .filter(({ name }) => names.includes(name))
  })
}

test('given a function of the public face, then its docstring says what it does and shows it', () => {
  for (const entry of ENTRIES) {
    const functions = functionsOf(entry)
    expect(functions.length, entry).toBeGreaterThan(1)
    const bare = functions.filter(
      ({ docstring }) => !/^ \* ?\w/m.test(docstring) || !docstring.includes('@example'),
    )
    expect(
      bare.map(({ name }) => name),
      entry,
    ).toEqual([])
  }
})
