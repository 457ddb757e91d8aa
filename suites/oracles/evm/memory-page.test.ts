import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ENGINE = join(import.meta.dirname, '../../../enclave-sim/protocol/evm')
const page = readFileSync(join(ENGINE, 'README.md'), 'utf8')
const layout = readFileSync(join(ENGINE, 'assembly/layout.ts'), 'utf8')

test("given the page of the engine's memory, then its table has every arena in the order in which they lie", () => {
  const arenas = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const laidOut = [...layout.matchAll(/^ {2}([A-Z_]+) = (?:reserve\(|<usize>free$)/gm)]
    .map(([, name]) => name!)
    .filter((name) => !name.endsWith('_END'))
  expect(laidOut.length).toBeGreaterThan(10)
  expect(arenas).toEqual(laidOut)
})
