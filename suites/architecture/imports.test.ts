import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { ROOMS, ROOT, sourceFiles } from './source-files.ts'

const BLACK_BOX =
  /^(suites\/conformance|fixtures|mocks|reports|enclave-sim\/protocol\/(clock|errors))\//

/** The last column of the table in ARCHITECTURE.md: room → rooms it may import. */
function allowedImports(markdown: string): Map<string, Set<string>> {
  const rows = [...markdown.matchAll(/^\| `([a-z-]+)` \|.*\| ([^|]*) \|$/gm)]
  return new Map(
    rows.map(([, room, column]) => {
      const named = [...column!.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]!)
      return [room!, new Set(column === 'every room' ? ROOMS : [room!, ...named])]
    }),
  )
}

const allowed = allowedImports(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))

function violations(path: string, text: string): string[] {
  const room = path.split('/')[0]!
  return importsOf(path, text)
    .filter((target) => {
      const targetRoom = target.split('/')[0]!
      if (!ROOMS.some((known) => known === targetRoom)) return false
      if (path.startsWith('devnet/cli/')) return false
      if (path.startsWith('suites/conformance/')) return !BLACK_BOX.test(target)
      if (path.endsWith('.test.ts') && targetRoom === 'fixtures') return false
      return !allowed.get(room)?.has(targetRoom)
    })
    .map((target) => `${path} imports ${target}`)
}

describe('ARCHITECTURE.md', () => {
  test('its table names every room', () => {
    expect([...allowed.keys()].sort()).toEqual([...ROOMS].sort())
  })

  test('no file imports what the table does not allow', () => {
    expect(sourceFiles().flatMap(({ path, text }) => violations(path, text))).toEqual([])
  })

  test.each([
    ['enclave-sim/wire/frame.ts', "import { x } from '../../devnet/devnet-description.ts'"],
    ['reports/html.ts', "import { x } from '../suites/run.ts'"],
    ['devnet/node/a.ts', "const x = await import('../../suites/run.ts')"],
    ['suites/conformance/cases/a.ts', "import { x } from '../../../devnet/config.ts'"],
    ['fixtures/chain/a.ts', "export { x } from '../../enclave-sim/protocol/types/bytes.ts'"],
  ])('an import against the rules is found: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1)
  })
})
