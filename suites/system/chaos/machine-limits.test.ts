import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ports, portsFrom } from '#devnet/base/ports'
import { startDevnet } from '#devnet/start-devnet'
import { rounds } from './rounds.ts'

/** A machine that refuses: files, a disk, ports. */

const COMMAND = join(import.meta.dirname, '../../../devnet/cli/rollbed.sh')
const UP = `${COMMAND} up --json --port-base 0 --manual`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaos-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A script of the shell, ended by SIGINT once it printed something. */
function run(script: string): Promise<{ code: number | string; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: folder, NO_COLOR: '1' }
    const child = execFile('sh', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'signal') : 0, stdout, stderr }),
    )
    child.stdout!.once('data', () => child.kill('SIGINT'))
  })
}

const limits = [16, 24, 40, 64, 100]
// With fewer than 12 the shell itself cannot start.
const moreLimits = Array.from({ length: 29 }, (_, index) => 12 + 4 * index)
test.each(rounds(0, 1) ? moreLimits : limits)(
  'given %i open files at most, when `up` starts, then it ends with exit code 3 and one sentence',
  async (files) => {
    const { code, stdout, stderr } = await run(`ulimit -n ${files}; exec ${UP}`)
    // Where Node itself cannot start the shell says it, which has no table of errors.
    expect(stderr).toMatch(
      /^MACHINE_LIMIT: Of open files this process may have \d+, and .+ needs \d+\.\nAllow .+\n(RB102: .+\n)?$/,
    )
    expect([code, stdout]).toEqual([3, ''])
    expect(readdirSync(folder)).toEqual([])
  },
)

test('given as many open files as a devnet is said to need, then `up` starts and ends well', async () => {
  const { code, stdout, stderr } = await run(`ulimit -n 128; exec ${UP}`)
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ enclaves: [{ kind: 'sim' }] })
})

/** Whether a mount of its own can be had here: root, or a user namespace. */
const UNSHARE = ['unshare -m', 'unshare -r -m'].find((unshare) => {
  try {
    execFileSync('sh', ['-c', `${unshare} mount -t tmpfs -o ro none ${tmpdir()}`], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
})
/** A script in a mount namespace where a folder is a disk that only can be read. */
const readOnly = (path: string, script: string) =>
  `exec ${UNSHARE} sh -c 'mount -t tmpfs -o ro none ${path} && cd ${path} && ${script}'`

describe.skipIf(!UNSHARE)('given a disk that can only be read', () => {
  test('when temporary files go there, then `up` ends with exit code 3 and one sentence', async () => {
    const { code, stdout, stderr } = await run(
      readOnly(folder, `TMPDIR=${folder} exec ${UP} --enclaves none`),
    )
    expect(stderr).toMatch(
      /^MACHINE_LIMIT: The machine refuses: EROFS: .+\n.+TMPDIR.+\nRB102: .+\n$/,
    )
    expect([code, stdout]).toEqual([3, ''])
  })

  test('when it is the working folder, then `up` goes on', async () => {
    const work = mkdtempSync(join(folder, 'work-'))
    const { code, stdout, stderr } = await run(readOnly(work, `exec ${UP} --enclaves none`))
    expect(stderr).toMatch(/^Commands started here will need URLs: EROFS: .+\n$/)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rpcUrl: expect.any(String) })
  })
})

describe('given a port that is taken', () => {
  let blocker: Server
  let port: number
  beforeAll(async () => {
    blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    port = (blocker.address() as { port: number }).port
  })
  afterAll(() => new Promise((resolve) => blocker.close(resolve)))

  test.each<[keyof Ports, string]>([
    ['l1', 'L1'],
    ['rpc', 'L2 node'],
    ['api', 'builder-code API'],
    ['prover', 'prover host'],
    ['rollupRpc', 'rollup RPC'],
    ['dashboard', 'explorer'],
    ['plainRpc', 'endpoint without pre-confirmations'],
    ['testnetRpc', 'second network'],
  ])('when %s is to have it, then PORT_BUSY names the %s', async (name, service) => {
    const starting = startDevnet({
      ports: { ...portsFrom(0), [name]: port },
      ...{ manual: true, logLevel: 'silent' },
      enclaves: name === 'prover' ? 1 : 0,
      plainRpc: name === 'plainRpc',
      testnet: name === 'testnetRpc',
    })
    await expect(starting).rejects.toMatchObject({
      code: 'PORT_BUSY',
      message: `Port ${port}, wanted for the ${service}, is in use.`,
    })
  })
})
