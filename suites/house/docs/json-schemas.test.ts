import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { describeCommands } from '#devnet/cli/describe-commands'
import type { JsonCommand } from '#devnet/cli/json-outputs'
import { COMMANDS, run } from '#devnet/cli/run'
import vectors from '#fixtures/vectors/journal.json' with { type: 'json' }
import { sampleRun } from '#reports/sample-run'
import { signRun } from '#reports/sign-run'
import { expectFitsSchema } from './expect-fits-schema.ts'
import { jsonSchemaFiles, SCHEMA_FOLDER } from './json-schemas.ts'
import { schemaOfCommand } from './schema-of-command.ts'
import { ROOT } from './source-tree.ts'

const files = readdirSync(join(ROOT, SCHEMA_FOLDER)).map((name) => `${SCHEMA_FOLDER}/${name}`)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('given the types that the commands are held to, then the schemas are what `npm run docs` makes', () => {
  const made = jsonSchemaFiles()
  expect(files.sort()).toEqual(Object.keys(made).sort())
  for (const [path, text] of Object.entries(made)) expect(read(path), path).toBe(text)
  // It reads the types of the whole house.
})

test('given every command, then each with --json names a schema that is there, and no other is there', async () => {
  const program = new Command('rollbed')
  for (const load of Object.values(COMMANDS)) (await load())(program, () => {})
  const named = describeCommands(program).flatMap(({ output }) => output ?? [])
  const there = files.map((path) => JSON.parse(read(path)).$id)
  // What it prints is always JSON, so it has no flag for it.
  expect(there.sort()).toEqual([...named, 'urn:rollbed:json:report-sign:1'].sort())
})

describe('what a command prints fits its schema', () => {
  let folder: string
  let printed: MockInstance<(line: string) => void>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
    printed = vi.spyOn(console, 'log').mockReturnValue()
    writeFileSync(join(folder, 'run.json'), JSON.stringify(sampleRun()))
    writeFileSync(join(folder, 'events.ndjson'), '')
    writeFileSync(join(folder, 'journal.json'), JSON.stringify(journal))
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const [own, others] = [
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'pem' }),
    ]
    writeFileSync(join(folder, 'private.pem'), own)
    writeFileSync(join(folder, 'public.pem'), others)
    const signed = signRun(JSON.stringify(sampleRun()), String(own))
    writeFileSync(join(folder, 'run.dsse.json'), JSON.stringify(signed))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Of what is given to a command, what names a file. */
  const inFolder = (word: string) =>
    /^\.$|\.(json|ndjson|pem)$/.test(word) ? join(folder, word) : word

  const group = vectors.testGroups.find(({ type }) => type === 'JournalPack') as unknown as {
    tests: { journal: object; packed: string }[]
  }
  const { journal, packed } = group.tests[0]!
  const CASES: [JsonCommand, string[]][] = [
    ['attribution encode', ['bc_a1b2c3d4']],
    ['attribution decode', ['0x12']],
    ['attribution decode', ['0x62635f61316232633364340b0080218021802180218021802180218021']],
    ['journal encode', ['journal.json']],
    ['journal decode', [packed]],
    ['init', ['playwright', '.']],
    ['scenario list', []],
    ['fault list', []],
    ['fault judge', ['events.ndjson']],
    ['report diff', ['run.json', 'run.json']],
    ['report merge', ['run.json']],
    ['report rejudge', ['run.json']],
    ['report query', ['run.json']],
    ['report site', ['.', 'run.json', '--target', 'ours']],
    ['report verify', ['run.dsse.json', '--key', 'public.pem']],
    ['commands', []],
    ['doctor', []],
  ]
  test.each(CASES)('given %s %j', async (command, args) => {
    await run([...command.split(' '), ...args.map(inFolder), '--json'])
    const [[output]] = printed.mock.calls as [[string]]
    expectFitsSchema(command, output)
  })

  test('given report sign, whose output is always JSON', async () => {
    await run(['report', 'sign', ...['run.json', '--key', 'private.pem'].map(inFolder)])
    const [[output]] = printed.mock.calls as [[string]]
    expectFitsSchema('report sign', output)
  })

  test('given another type in its place, or a member less, then it does not fit', () => {
    const fits = (value: unknown) => schemaOfCommand('faucet').safeParse(value).success
    expect(fits({ transactionHash: '0x12' })).toBe(true)
    expect(fits({ transactionHash: 12 })).toBe(false)
    expect(fits({})).toBe(false)
  })
})
