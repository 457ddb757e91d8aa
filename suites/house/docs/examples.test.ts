import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { docstringExamples, type Example, pageExamples } from './examples-of.ts'
import { runExample } from './run-example.ts'
import { ROOT } from './source-tree.ts'

/** The entries of the package by their names. */
const ENTRIES: Readonly<Record<string, () => Promise<unknown>>> = {
  rollbed: () => import('#devnet/index'),
  'rollbed/conform': () => import('#suites/gate/conformance/index'),
  'rollbed/journal': () => import('#devnet/sdk/journal/index'),
  'rollbed/msw': () => import('#devnet/sdk/msw/index'),
  'rollbed/viem': () => import('#devnet/sdk/viem/index'),
}
const SOURCES = [
  'devnet/sdk/**/*.ts',
  'suites/gate/conformance/*.ts',
  'suites/gate/conformance/drivers/*.ts',
  'devnet/start-devnet.ts',
  'devnet/actors/journal-audit/journal-json.ts',
  'enclave-sim/protocol/journal/{layouts,encode-journal,decode-journal,recover-signer}.ts',
]
const PAGES = ['devnet/docs/*.md']

/** These need a devnet with actors, and run in a test that has one. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'devnet/docs/bridging.md': 'suites/system/end-to-end/withdrawal.test.ts',
}
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const examples = [
  ...globSync(SOURCES, { cwd: ROOT }).flatMap((path) => docstringExamples(path, read(path))),
  ...globSync(PAGES, { cwd: ROOT })
    .filter((path) => !RUN_ELSEWHERE[path])
    .flatMap((path) => pageExamples(path, read(path))),
]

/** Whose examples are tests themselves, and where these run. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  vitest: ['suites/clients/sdk/vitest-entry.test.ts', 'suites/clients/sdk/eras.test.ts'],
  playwright: ['suites/clients/sdk/playwright/fixtures.spec.ts'],
}
const runnerOf = ({ code }: Example) => /'rollbed\/(vitest|playwright)'/.exec(code)?.[1]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(() => devnet?.stop())

describe('examples', () => {
  test.each(examples.filter((each) => runnerOf(each)))(
    'given $name, then it stands in a test as it is shown',
    (example) => {
      const body = example.code.replaceAll(/^import .*\n/gm, '').trim()
      expect(RUNNERS[runnerOf(example)!]!.map(read).join('\n')).toContain(body)
    },
  )

  test.each(examples.filter((each) => !runnerOf(each)))(
    'given $name, then it runs as it is shown',
    async (example) => {
      await runExample(example, {
        load: (name) => (ENTRIES[name] ? ENTRIES[name]() : import(name)),
        values: { devnet, console: { log: () => {} } },
      })
    },
  )

  test.each(Object.entries(RUN_ELSEWHERE))(
    'given an example of %s, then %s runs it',
    (page, file) => {
      expect(read(file)).toContain(`'${page}'`)
      expect(read(file)).toContain('runExample(')
    },
  )

  test('given an example that fails, then so does its run', async () => {
    const given = { load: (name: string) => import(name), values: { two: 2 } }
    const code = "import { ok } from 'node:assert'\nconst sum: number = two + 2\nok(sum === 5)"
    await expect(runExample({ name: 'wrong', code }, given)).rejects.toThrow()
    expect(examples.length).toBeGreaterThan(6)
  })
})
