import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { run } from './run.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const file = (name: string) => readFileSync(join(folder, name), 'utf8')
/** Where the tests that are written are run as they stand. */
const RUN_BY = {
  vitest: ['transfer.test.ts', 'suites/clients/sdk/vitest-entry.test.ts'],
  playwright: ['page.spec.ts', 'suites/clients/sdk/playwright/fixtures.spec.ts'],
  next: ['tip.spec.ts', 'suites/clients/sdk/playwright/tip.spec.ts'],
} as const
/** What the written files import, beside rollbed and viem, or run by. */
const NEEDED = {
  vitest: ['vitest'],
  playwright: ['@playwright/test'],
  next: [
    ...['@playwright/test', '@tanstack/react-query', '@types/node', '@types/react', 'next'],
    ...['react', 'react-dom', 'typescript', 'wagmi'],
  ],
}

test.each(['vitest', 'playwright', 'next'] as const)(
  'given an empty folder, when %s is asked for, then a test that is known to pass is there, and what it needs',
  async (kind) => {
    expect(await run(['init', kind, folder])).toBe(0)
    const [name, runner] = RUN_BY[kind]
    const body = file(name)
      .replaceAll(/^import .*\n/gm, '')
      .trim()
    expect(readFileSync(join(import.meta.dirname, '../..', runner), 'utf8')).toContain(body)
    const { type, devDependencies } = JSON.parse(file('package.json'))
    expect(type).toBe('module')
    expect(Object.keys(devDependencies).sort()).toEqual(['rollbed', 'viem', ...NEEDED[kind]].sort())
    const { version, devDependencies: ours } = manifest
    // Next.js is no part of this repository; `npm run first-hour` runs the page by it.
    const made: Record<string, string> = { ...ours, rollbed: version, next: '16.4.6' }
    for (const [each, range] of Object.entries(devDependencies))
      expect(range).toBe(`^${made[each]}`)
  },
)

test('given a package.json, then it stays as it is, and the packages are named', async () => {
  writeFileSync(join(folder, 'package.json'), '{}')
  expect(await run(['init', 'vitest', folder])).toBe(0)
  expect(file('package.json')).toBe('{}')
  expect(vi.mocked(console.log).mock.calls.join()).toContain('--save-dev rollbed viem vitest')
})

test('given a package.json that names what is needed, then only what it lacks is to be installed', async () => {
  const said = () => vi.mocked(console.log).mock.lastCall![0].split('\n').slice(1)
  const has = (...names: string[]) =>
    JSON.stringify({ devDependencies: Object.fromEntries(names.map((name) => [name, '*'])) })
  writeFileSync(join(folder, 'package.json'), has('rollbed', 'viem', 'vitest'))
  expect(await run(['init', 'vitest', folder])).toBe(0)
  expect(said()).toEqual(['npx vitest run'])
  writeFileSync(join(folder, 'package.json'), has('rollbed', 'vitest'))
  rmSync(join(folder, 'transfer.test.ts'))
  expect(await run(['init', 'vitest', folder])).toBe(0)
  expect(said()).toEqual(['npm install --save-dev viem', 'npx vitest run'])
})

test('given a Node on the PATH that no devnet runs on, then one for the tests is installed with the rest', async () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 })
  vi.stubEnv('PATH', bin)
  const own = join(folder, 'own')
  expect(await run(['init', 'vitest', own])).toBe(0)
  expect(JSON.parse(file('own/package.json')).devDependencies.node).toBe('24')
  writeFileSync(join(folder, 'package.json'), '{}')
  expect(await run(['init', 'vitest', folder])).toBe(0)
  const said: string = vi.mocked(console.log).mock.lastCall![0]
  expect(said).toContain('--save-dev rollbed viem vitest node@24\n')
})

test('given a package.json, then a dapp of its own is not put beside it', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  expect(await run(['init', 'next', folder])).toBe(2)
  expect(readdirSync(folder)).toEqual(['package.json'])
})

test('given a file of that name, or a kind that is none, then nothing is written', async () => {
  writeFileSync(join(folder, 'transfer.test.ts'), 'mine')
  expect(await run(['init', 'vitest', folder])).toBe(2)
  expect(await run(['init', 'jest', folder])).toBe(2)
  expect(readdirSync(folder)).toEqual(['transfer.test.ts'])
  expect(file('transfer.test.ts')).toBe('mine')
})
