import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { AnvilProcess } from './anvil-process.ts'

test('given anvils that start at the same time, when one is stopped, then it is that one, and none is left behind', async () => {
  const anvils = [1, 2, 3].map((chainId) => new AnvilProcess({ chainId, port: 0 }))
  await Promise.all(anvils.map((anvil) => anvil.start()))
  expect(new Set(anvils.map(({ pid }) => pid)).size).toBe(3)

  const chainIdAt = (port: number) =>
    httpRpcClient(`http://127.0.0.1:${port}`).request('eth_chainId', [])
  const ports = anvils.map(({ port }) => port)
  await anvils[1]!.stop()
  expect(await Promise.all([chainIdAt(ports[0]!), chainIdAt(ports[2]!)])).toEqual(['0x1', '0x3'])
  await expect(chainIdAt(ports[1]!)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })

  const ended = Promise.all(anvils.map(({ exited }) => exited))
  await Promise.all(anvils.map((anvil) => anvil.stop()))
  await ended
})

test('given an anvil, then a signal to all of our group, as Ctrl-C makes it, does not reach it', async () => {
  const anvil = new AnvilProcess({ port: 0 })
  await anvil.start()
  // It leads a group of its own.
  expect(process.kill(-anvil.pid!, 0)).toBe(true)
  await anvil.stop()
})

// A rejection that nobody handles ends a whole run of vitest: each of these would.
describe('given a program in the place of anvil', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollbed-anvil-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** @param timeout milliseconds; those that end by themselves are never late */
  async function failureOf(script: string, { timeout = 60_000, mode = 0o755 } = {}) {
    const binary = join(folder, 'anvil')
    await rm(binary, { force: true })
    await writeFile(binary, script, { mode })
    const anvil = new AnvilProcess({ port: 0, silent: false, noMining: true, blockTime: 2 }, binary)
    const failure = await anvil.start(timeout).catch((error) => error)
    const { state, pid } = anvil
    return { failure, state, isGone: pid === undefined || !isAlive(pid) }
  }

  test.each([
    {
      what: 'it never listens',
      script: '#!/bin/sh\nexec sleep 300\n',
      options: { timeout: 50 },
      says: 'it did not listen within 0.05 s.',
    },
    {
      what: 'it listens late, and does not heed SIGTERM',
      script: '#!/bin/sh\ntrap "" TERM\nexec sleep 300\n',
      options: { timeout: 50 },
      says: 'it did not listen within 0.05 s.',
    },
    {
      what: 'it ends at once',
      script: '#!/bin/sh\necho "$@"\nprintf "no such hardfork" >&2\nexit 7\n',
      says: 'anvil ended with code 7.\n--port 0 --no-mining --block-time 2\nno such hardfork',
    },
    {
      what: 'it ends well, having said nothing',
      script: '#!/bin/sh\nexit 0\n',
      says: 'anvil ended with code 0.',
    },
    {
      what: 'it kills itself',
      script: '#!/bin/sh\nkill -9 $$\n',
      says: 'anvil ended with SIGKILL.',
    },
    {
      what: 'it may not be run',
      script: '#!/bin/sh\n',
      options: { mode: 0o644 },
      says: 'Permission denied',
    },
    { what: 'its interpreter is missing', script: '#!/nowhere/sh\n', says: 'not found' },
  ])(
    'when $what, then ANVIL_FAILED says so, and nothing of it is left',
    async ({ script, options, says }) => {
      const { failure, state, isGone } = await failureOf(script, options)
      expect(failure).toMatchObject({
        code: 'ANVIL_FAILED',
        message: expect.stringContaining(says),
      })
      expect({ state, isGone }).toEqual({ state: 'stopped', isGone: true })
    },
  )
})

describe('when our own process ends, then anvil does not outlive it', () => {
  const program = `
    import { AnvilProcess } from '${new URL('./anvil-process.ts', import.meta.url)}'
    const anvil = new AnvilProcess({ port: 0 })
    await anvil.start()
    process.stdout.write(String(anvil.port))
    await new Promise((resolve) => process.stdin.once('data', resolve))
  `

  /** Runs a program that starts anvil and then, when told to go on, ends in its own way. */
  async function run(ending = '') {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program + ending], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const [port] = await once(child.stdout, 'data')
    // The kernel ends this connection when anvil dies, whoever reaps it; by a reset, sometimes.
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    const anvilGone = new Promise((resolve) => socket.once('close', resolve))
    return { child, anvilGone, exit: once(child, 'exit') }
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('given %s', async (signal) => {
    const { child, anvilGone, exit } = await run()
    child.kill(signal)
    expect(await exit).toEqual([null, signal])
    await anvilGone
  })

  test('given an uncaught error', async () => {
    const { child, anvilGone, exit } = await run(`throw new Error('crash')`)
    child.stdin.end('go')
    expect(await exit).toEqual([1, null])
    await anvilGone
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
