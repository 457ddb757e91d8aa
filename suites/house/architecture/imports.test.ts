import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { ROOMS, ROOT, sourceFiles } from './source-files.ts'

const BLACK_BOX =
  /^(suites\/gate\/conformance|fixtures|mocks|reports|enclave-sim\/protocol\/(clock|errors))\//

/** What stand-ins of the gate speak. */
const GATE_CODECS = 'suites/gate/conformance/spec/'

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
      if (path.startsWith('suites/gate/conformance/')) return !BLACK_BOX.test(target)
      if (path.startsWith('mocks/') && target.startsWith(GATE_CODECS)) return false
      if (path.endsWith('.test.ts') && targetRoom === 'fixtures') return false
      return !allowed.get(room)?.has(targetRoom)
    })
    .map((target) => `${path} imports ${target}`)
}

/** What the cases of the gate reach, through whatever they import: path → who brought it in. */
function reachOfCases(files: ReadonlyMap<string, string>): Map<string, string> {
  const reached = new Map<string, string>()
  const queue = [...files.keys()].filter(
    (path) => path.startsWith('suites/gate/conformance/') && !path.endsWith('.test.ts'),
  )
  for (let path = queue.pop(); path; path = queue.pop()) {
    for (const target of importsOf(path, files.get(path) ?? '')) {
      if (reached.has(target) || !files.has(target)) continue
      reached.set(target, path)
      queue.push(target)
    }
  }
  return reached
}

describe('the gate', () => {
  const files = new Map(sourceFiles().map(({ path, text }) => [path, text]))
  const foreign = (all: ReadonlyMap<string, string>) =>
    [...reachOfCases(all)].filter(([target]) => !BLACK_BOX.test(target)).map(([target]) => target)

  test('given its imports and theirs, then it reaches nothing of what it judges', () => {
    expect(foreign(files)).toEqual([])
  })

  test('given a codec of ours behind a stand-in, then it is found', () => {
    const stand = 'mocks/enclave/serve-enclave.ts'
    const text = `${files.get(stand)}\nimport { x } from '#enclave/wire/messages'`
    expect(foreign(new Map([...files, [stand, text]]))).toContain('enclave-sim/wire/messages.ts')
  })

  test("given its hashes and signers, then they come of @noble alone, and the node's of other libraries", () => {
    const HASHING = /\b(keccak256|sha256|recoverAddress|recoverMessageAddress|publicKeyToAddress)\b/
    const fromViem = /import (?:type )?\{([^}]*)\} from 'viem(?:\/[\w-]+)?'/g
    const own = [...files].filter(([path]) => !path.endsWith('.test.ts'))
    const byViem = own.filter(
      ([path, text]) =>
        path.startsWith('suites/gate/conformance/') &&
        [...text.matchAll(fromViem)].some(([, names]) => HASHING.test(names!)),
    )
    const byNoble = own.filter(
      ([path, text]) =>
        /^(enclave-sim\/protocol\/(crypto|trie|execution|transaction)|devnet\/l2\/node)\//.test(
          path,
        ) && /@noble\/(hashes|curves\/secp256k1)/.test(text),
    )
    expect([...byViem, ...byNoble].map(([path]) => path)).toEqual([])
  })
})

test('given the checkers of weather and their model, then they import nothing but each other: who generates must not also judge', () => {
  const judges = ['suites/weather/checkers/', 'suites/weather/model/']
  const isOfJudges = (path: string) => judges.some((folder) => path.startsWith(folder))
  const foreign = sourceFiles()
    .filter(({ path }) => isOfJudges(path) && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => importsOf(path, text))
    .filter((target) => !isOfJudges(target))
  expect(foreign).toEqual([])
})

describe('ARCHITECTURE.md', () => {
  test('given its table, then every room is named', () => {
    expect([...allowed.keys()].sort()).toEqual([...ROOMS].sort())
  })

  test('given any file, then it imports nothing that the table does not allow', () => {
    expect(sourceFiles().flatMap(({ path, text }) => violations(path, text))).toEqual([])
  })

  test.each([
    ['enclave-sim/wire/frame.ts', "import { x } from '#devnet/base/options/devnet-description'"],
    ['reports/html.ts', "import { x } from '../suites/run.ts'"],
    ['devnet/l2/node/a.ts', "const x = await import('#suites/run')"],
    ['suites/gate/conformance/cases/a.ts', "import { x } from '#devnet/config'"],
    ['fixtures/chain/a.ts', "export { x } from '#protocol/types/bytes'"],
  ])('given an import against the rules, then it is found: %s', (path, text) => {
    expect(violations(path, text)).toHaveLength(1)
  })
})
