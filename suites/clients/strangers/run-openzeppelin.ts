import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startDevnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'
import type { Outcome } from './outcome.ts'
import { serveAsAnvil } from './serve-as-anvil.ts'
import { type KnownFailure, sortOutcomes } from './sort-outcomes.ts'

/**
 * `npx node suites/clients/strangers/run-openzeppelin.ts CHECKOUT [--at plain|base|hardhat] [--out FILE] [TEST…]`
 * runs the tests of a checkout of OpenZeppelin Contracts, installed and built, over JSON-RPC on a devnet of
 * ours (or on Hardhat's own network), and ends with 1 where one fails that is not in the list beside this
 * file. CONTRIBUTING.md says how to come by a checkout.
 */
const HERE = import.meta.dirname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string', default: 'plain' },
    out: { type: 'string' },
  },
})
const [checkout, ...named] = positionals
if (!checkout || !existsSync(join(checkout, 'hardhat.config.ts'))) {
  process.stderr.write('Name a checkout of OpenZeppelin Contracts, installed and built.\n')
  process.exit(2)
}
const folder = resolve(checkout)
const scratch = mkdtempSync(join(tmpdir(), 'rollbed-strangers-'))
const outcomes = values.out ? resolve(values.out) : join(scratch, 'outcomes.jsonl')
rmSync(outcomes, { force: true })
const config = join(folder, 'hardhat.rollbed.config.ts')
writeFileSync(
  config,
  `import base from './hardhat.config.ts'
const url = process.env.ROLLBED_AT
export default {
  ...base,
  networks: url
    ? { ...base.networks, default: { type: 'http', url, accounts: 'remote', timeout: 60_000 } }
    : base.networks,
  test: {
    ...base.test,
    mocha: { ...base.test?.mocha, reporter: ${JSON.stringify(join(HERE, 'json-lines-reporter.ts'))}, timeout: 60_000 },
  },
}
`,
)

/** What asks for contracts that the chain does not have: EIP-4337's, which a plugin of Hardhat puts there. */
const NEEDS_PREDEPLOYS = /^test\/(account\/|helpers\/erc4337|utils\/Blockhash)/
const all = globSync('test/**/*.test.js', { cwd: folder }).sort()
const files = named.length > 0 ? named : all.filter((file) => !NEEDS_PREDEPLOYS.test(file))

const began = systemClock.now()
const status = await (values.at === 'hardhat' ? runTests() : runOnDevnet(values.at))
const lines = readFileSync(outcomes, 'utf8').trim().split('\n')
const ended = lines.map((line) => JSON.parse(line) as Outcome)
const known: KnownFailure[] = parse(readFileSync(join(HERE, 'openzeppelin.yaml'), 'utf8'))
const sorted = sortOutcomes(ended, known)
const seconds = Math.round((systemClock.now() - began) / 1000)
const { passed, failed, byReason, unknown } = sorted
say(`${values.at}: ${passed} passed, ${failed.length} failed, ${seconds} s`)
for (const { reason, count } of byReason) say(`${count}\t${reason}`)
for (const { title, message } of unknown) say(`unknown: ${title}\n  ${message}`)
rmSync(config)
rmSync(scratch, { recursive: true })
process.exitCode = ended.length === 0 ? (status ?? 3) : Number(unknown.length > 0)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function runOnDevnet(path: string): Promise<number | null> {
  await using devnet = await startDevnet({
    enclaves: 0,
    // As far apart as Hardhat's own, which the tests of rates count on.
    blockTime: 1,
    // What the tests are compiled for: Azul has Osaka's rules.
    upgrades: { azul: 'genesis' },
    logLevel: 'silent',
  })
  const url = new URL(`/${path}`, devnet.description.rpcUrl).href
  await httpRpcClient(url).request('evm_setAutomine', [true])
  if (path === 'plain') return await runTests(url)
  await using front = await serveAsAnvil(url)
  return await runTests(front.url)
}

async function runTests(url?: string): Promise<number | null> {
  const hardhat = join(folder, 'node_modules', '.bin', 'hardhat')
  const arguments_ = ['--config', config, 'test', 'mocha', '--no-compile', ...files]
  const child = spawn(hardhat, arguments_, {
    cwd: folder,
    env: { ...process.env, ROLLBED_OUTCOMES: outcomes, ...(url && { ROLLBED_AT: url }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return code
}
