import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { addScenarioCommand } from '#devnet/cli/scenario'
import { createScenarioContext } from '#devnet/scenarios/scenario-context'
import { scenarios } from '#devnet/scenarios/scenarios'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { jsonRpcEndpoint } from '../proving/json-rpc-endpoint.ts'

/** Every situation, in the order of the list. */
const names = [
  'honest-game',
  'bad-root-first',
  'bad-root-middle',
  'bad-root-last',
  'two-bad-roots',
  'three-bad-roots',
  'wrong-interval',
  'false-parent',
  'stale-l1-head',
  'unregistered-signer',
  'more-roots',
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

test('given scenario list, then every situation is there with what it is', async () => {
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
])('given scenario run and %s, then it is a usage error', async (_, args) => {
  await expect(scenario(...args)).rejects.toMatchObject({ code: 'USAGE' })
})

test('given scenario run and --config, then the contracts that it names are the ones played with', async () => {
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

test('given L2 blocks that are not safe yet, then one line is told for each step towards them', async () => {
  const clock = new VirtualClock()
  const heads = [3, 3, 4, 4, 5]
  const rollup: RpcClient = {
    request: async () => {
      const head = { number: heads.shift() }
      return { safe_l2: head, finalized_l2: head }
    },
  }
  const { url, stop } = await jsonRpcEndpoint(rollup, ['optimism_syncStatus'])
  const lines: string[] = []
  const context = createScenarioContext({
    l1RpcUrl: url,
    rollupRpcUrl: url,
    proverUrl: url,
    clock,
    logger: pino({ level: 'silent' }),
    onProgress: (line) => lines.push(line),
  })
  let isOver = false
  const safe = context.untilSafe(5n).finally(() => {
    isOver = true
  })
  safe.catch(() => {})
  while (!isOver) {
    // Only while it sleeps: answers take their own time.
    if (clock.nextAlarm() !== undefined) await clock.advance(500)
    await new Promise(setImmediate)
  }
  await safe
  await stop()
  expect(lines).toEqual([
    'waiting for L2 block 5 to be safe, now at 3',
    'waiting for L2 block 5 to be safe, now at 4',
  ])
})

test('given the page of the situations, then it has all of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../devnet/docs/scenarios.md'), 'utf8')
  for (const { name, summary } of scenarios) expect(page).toContain(`| \`${name}\` | ${summary} |`)
})
