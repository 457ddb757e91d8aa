import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { addScenarioCommand } from '../../devnet/cli/scenario.ts'
import type { RpcClient } from '../../devnet/json-rpc/http-rpc-client.ts'
import { scenarios } from '../../devnet/scenarios/scenarios.ts'
import { jsonRpcEndpoint } from '../proving/json-rpc-endpoint.ts'

/** What the issue asks for, beside the passing of time. */
const names = [
  'honest-game',
  'bad-root-first',
  'bad-root-middle',
  'bad-root-last',
  'wrong-interval',
  'stale-l1-head',
  'unregistered-signer',
  'rotation-begins',
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

test('scenario run: given --config, then the contracts that it names are the ones played with', async () => {
  const factory = `0x${'fa'.repeat(20)}`
  const asked: string[] = []
  const l1: RpcClient = {
    request: async (_, [call]) => {
      asked.push(String(Object(call).to))
      return '0x'
    },
  }
  const { url, stop } = await jsonRpcEndpoint(l1, ['eth_call'])
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-'))
  const config = join(folder, 'devnet.json')
  const description = { l1RpcUrl: url, rollupRpcUrl: url, proverUrl: url, l1ChainId: 1337 }
  writeFileSync(
    config,
    JSON.stringify({ ...description, contracts: { disputeGameFactory: factory } }),
  )
  await expect(scenario('run', 'honest-game', '--config', config)).rejects.toThrow()
  rmSync(folder, { recursive: true })
  await stop()
  expect(asked).toContain(factory)
})

test('the page of the situations has all of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../devnet/docs/scenarios.md'), 'utf8')
  for (const { name, summary } of scenarios) expect(page).toContain(`| \`${name}\` | ${summary} |`)
})
