import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { addHostCommand } from '#devnet/cli/host'
import { rollupConfigJson } from '#devnet/l2/rollup-rpc/rollup-config-json'
import { l2ChainId } from '#fixtures/chain/constants'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { gate, type HostBench, hostBench } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollbed-'))
const chainFile = join(folder, 'rollup.json')
let chain: HostChain
let bench: HostBench

beforeAll(async () => {
  chain = await hostChain()
  writeFileSync(chainFile, JSON.stringify(rollupConfigJson(chain.chain.config)))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await chain.stop()
})
beforeEach(async () => {
  bench = await hostBench(chain, 2)
})
afterEach(() => bench.stop())

/** Flags of a host that starts, by name. */
const goodFlags = (): Record<string, string> => ({
  '--l1-rpc-url': chain.l1Url,
  '--l1-beacon-url': chain.l1Url,
  '--l2-rpc-url': chain.l2Url,
  '--l2-chain-id': String(l2ChainId),
  '--chains': chainFile,
  '--listen': '127.0.0.1:0',
  '--vsock-cid': `16=${bench.enclaves[0]!.endpoint}`,
})

describe('rollbed host with a wrong command line', () => {
  /** Parses in this process; nothing may be opened. */
  async function parse(flags: Record<string, string>): Promise<unknown> {
    const program = new Command('rollbed').exitOverride()
    addHostCommand(program, () => undefined)
    for (const command of program.commands)
      command.exitOverride().configureOutput({ writeErr: () => undefined })
    const args = Object.entries(flags).flat()
    return await program.parseAsync(['host', ...args], { from: 'user' }).catch((error) => error)
  }

  it.each([
    ['HOST-CFG-01', '--l1-rpc-url'],
    ['HOST-CFG-02', '--l1-beacon-url'],
    ['HOST-CFG-03', '--l2-rpc-url'],
    ['HOST-CFG-04', '--l2-chain-id'],
    ['HOST-CFG-08', '--listen'],
    ['HOST-CFG-09', '--vsock-cid'],
  ])('given the rule %s, when started without %s, then it is asked for', async (_, flag) => {
    const { [flag]: left, ...flags } = goodFlags()
    expect(left).toBeDefined()
    expect(await parse(flags)).toMatchObject({
      code: 'commander.missingMandatoryOptionValue',
      message: expect.stringContaining(flag),
    })
  })

  it.each([
    ['--l1-rpc-url', 'localhost:8545', '--l1-rpc-url must be a URL'],
    [
      '--l2-chain-id',
      '999999999',
      'L2 chain 999999999 is unknown; known are: 8453, 84532, 84538453',
    ],
    ['--l2-chain-id', 'base', '--l2-chain-id must be a whole number'],
    ['--chains', '/nowhere/rollup.json', 'The chain file cannot be read'],
    ['--listen', '8545', '--listen must be HOST:PORT'],
    ['--listen', '127.0.0.1:70000', '--listen must be HOST:PORT'],
    ['--vsock-cid', 'x', "--vsock-cid must be a CID or CID=ENDPOINT, not 'x'"],
    ['--vsock-cid', '16,16', '--vsock-cid 16 is given twice'],
    ['--vsock-cid', '16=/run/vsock', '"/run/vsock" is not an enclave endpoint'],
    ['--vsock-cid', '16,17', '2 enclave CIDs require a registry address'],
    ['--tee-prover-registry-address', '0x12', '40 hexadecimal digits'],
    ['--proof-timeout', '0', '--proof-timeout must be a whole number from 1'],
    ['--proof-timeout', '1.5', '--proof-timeout must be a whole number from 1'],
    ['--log-level', 'loud', '--log-level must be one of silent, error, warn, info, debug'],
    ['--metrics-listen', 'yes', '--metrics-listen must be HOST:PORT'],
  ])(
    'given %s %s, when started, then a usage error says what is wrong',
    async (flag, value, message) => {
      expect(await parse({ ...goodFlags(), [flag]: value })).toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(message),
      })
    },
  )
})

it('given a port that is taken, when started, then the hint names flags that there are', async () => {
  const { url } = await bench.start()
  const program = new Command('rollbed').exitOverride()
  addHostCommand(program, () => undefined)
  const args = Object.entries({ ...goodFlags(), '--listen': new URL(url).host }).flat()
  await expect(program.parseAsync(['host', ...args], { from: 'user' })).rejects.toMatchObject({
    code: 'PORT_BUSY',
    hint: expect.stringContaining('--listen or --metrics-listen'),
  })
})

interface HostProcess {
  child: ChildProcessByStdio<null, Readable, Readable>
  ready: { url: string; metricsUrl: string }
  /** Everything on standard error, once it ended. */
  log: Promise<string>
}

describe('rollbed host as a process', () => {
  let running: HostProcess['child'][] = []

  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
    running = []
  })

  async function spawnHost(flags: Record<string, string>, env = {}): Promise<HostProcess> {
    const script = fileURLToPath(new URL('./run-host.ts', import.meta.url))
    const args = ['host', '--json', ...Object.entries(flags).flat()]
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    running.push(child)
    const log = text(child.stderr)
    const lines = createInterface({ input: child.stdout })
    const ended = log.then((said) => Promise.reject(new Error(`the host ended: ${said}`)))
    const [line] = await Promise.race([once(lines, 'line'), ended])
    ended.catch(() => undefined)
    expectFitsSchema('host', line)
    return { child, ready: JSON.parse(line), log }
  }

  it('given every input as a flag, when interrupted in a proof, then the proof is finished, the process ends with 0, and the log level held (HOST-CFG-10..13, HOST-START-01..08)', async () => {
    const [first, second] = bench.enclaves
    chain.registry.valid = [second!.signer]
    const slow = gate(second!.reactions.Prove)
    second!.reactions.Prove = slow.promise
    const { child, ready, log } = await spawnHost({
      ...goodFlags(),
      '--vsock-cid': `16=${first!.endpoint},17=${second!.endpoint}`,
      '--tee-prover-registry-address': chain.registry.address,
      '--proof-timeout': '60',
      '--metrics-listen': '127.0.0.1:0',
      '--log-level': 'warn',
    })
    const rpc = httpRpcClient(ready.url)
    expect(await rpc.request('enclave_signerPublicKey', [])).toHaveLength(2)
    expect((await fetch(`${ready.url}/healthz`)).status).toBe(200)
    expect(await (await fetch(ready.metricsUrl)).text()).toContain('rollbed_prover_healthy 1')

    const proof = rpc.request('prover_prove', await chain.request(1, 2))
    await second!.arrived(3)
    child.kill('SIGINT')
    slow.open()
    expect(await proof).toHaveProperty('Tee')
    expect(await once(child, 'exit')).toEqual([0, null])
    const lines = (await log)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ level: 40, msg: 'enclave skipped', cid: 16 }])
  })

  it.each([
    ['spec', -32602],
    ['base', undefined],
  ])(
    'given --profile %s, when a request has no proposer, then the error is %s',
    async (profile, code) => {
      const { ready } = await spawnHost({ ...goodFlags(), '--profile': profile })
      const { proposer: _, ...request } = (await chain.request(1, 2))[0]
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'prover_prove',
        params: [request],
      })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(ready.url, { method: 'POST', headers, body })
      const reply = Object(await response.json())
      expect(reply.error?.code).toBe(code)
      if (!code) expect(reply.result).toHaveProperty('Tee')
    },
  )

  it('given every input as an environment variable, when started, then it runs the same, and SIGTERM ends it', async () => {
    const variables = Object.entries(goodFlags()).map(([flag, value]) => [
      `ROLLBED_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`,
      value,
    ])
    const env = { ...Object.fromEntries(variables), ROLLBED_LOG_LEVEL: 'info' }
    const { child, ready, log } = await spawnHost({}, env)
    expect((await fetch(`${ready.url}/healthz`)).status).toBe(200)
    expect(ready.metricsUrl).toBeUndefined()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(JSON.parse((await log).trim())).toMatchObject({
      level: 30,
      msg: 'prover host listens',
      chainId: String(l2ChainId),
      proofTimeout: 1740,
    })
  })
})
