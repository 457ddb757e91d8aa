import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { addScenarioCommand } from '../../devnet/cli/scenario.ts'
import { scenarios } from '../../devnet/scenarios/scenarios.ts'

/** What the issue asks for, beside the passing of time. */
const names = [
  'honest-game',
  'bad-root-first',
  'bad-root-middle',
  'bad-root-last',
  'wrong-interval',
  'stale-l1-head',
  'unregistered-signer',
  'rotation-overlap',
  'nullified-verifier',
  'expired-origin',
  'invalid-parent',
  'time-passes',
]

afterEach(() => vi.restoreAllMocks())

async function scenario(...args: string[]): Promise<string> {
  const printed: unknown[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line))
  const program = new Command()
  addScenarioCommand(program, () => {})
  await program.parseAsync(['scenario', ...args], { from: 'user' })
  return printed.join('\n')
}

test('scenario list: then every situation is there with what it is', async () => {
  const listed = JSON.parse(await scenario('list', '--json'))
  expect(listed.map((each: { name: string }) => each.name)).toEqual(names)
  const text = await scenario('list')
  for (const { name, summary } of listed)
    expect(text).toMatch(new RegExp(`^${name} +${summary}$`, 'm'))
})

test.each<[string, string[]]>([
  ['an unknown name', ['run', 'fly']],
  ['a URL that is none', ['run', 'honest-game', '--l1', 'localhost']],
  ['a file that is none', ['run', 'honest-game', '--config', '/nowhere.json']],
])('scenario run: given %s, then it is a usage error', async (_, args) => {
  await expect(scenario(...args)).rejects.toMatchObject({ code: 'USAGE' })
})

test('the page of the situations has all of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../devnet/docs/scenarios.md'), 'utf8')
  for (const { name, summary } of scenarios) expect(page).toContain(`| \`${name}\` | ${summary} |`)
})
