import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning, RollbedProcess, rollbed } from '../end-to-end/rollbed-process.ts'
import { rounds } from './rounds.ts'

/** A devnet whose own process is gone, without a word or with one. */

let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'chaos-'))
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

const up = (...args: string[]) =>
  new RollbedProcess(['up', '--json', '--port-base', '0', ...args], { env: { TMPDIR: temporary } })

/** Resolves when the kernel is done with all of them. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await new Promise(setImmediate)
}

test.each(Array.from({ length: rounds(1, 8) }, (_, index) => index + 1))(
  'given a devnet, when it is killed without a word (%i), then its children end with it, and the next start sweeps what it left',
  async () => {
    const out = join(temporary, 'out.json')
    const killed = up('--config-out', out)
    await killed.ready()
    const children = killed.descendants()
    expect(children.length).toBeGreaterThanOrEqual(3)
    const left = readdirSync(temporary).filter((name) => name.startsWith('rollbed-'))
    expect(left).toHaveLength(1)
    const { exitCode } = await killed.stop('SIGKILL')
    expect(exitCode).toBeNull()
    await gone(children)
    expect(existsSync(out)).toBe(true)

    const next = up()
    await next.ready()
    expect(readdirSync(temporary)).not.toContain(left[0])
    expect(existsSync(out)).toBe(false)
    const later = next.descendants()
    expect(await next.stop('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(later.filter(isRunning)).toEqual([])
    expect(readdirSync(temporary)).toEqual([])
  },
)

test('given a devnet that runs, when another starts, then it is not swept', async () => {
  const first = up('--enclaves', 'none')
  await first.ready()
  const folders = readdirSync(temporary)
  const second = up('--enclaves', 'none')
  await second.ready()
  expect(readdirSync(temporary)).toEqual(expect.arrayContaining(folders))
  await Promise.all([first.stop(), second.stop()])
  expect(readdirSync(temporary)).toEqual([])
})

test('given a devnet, when its terminal closes, then it ends as by SIGTERM', async () => {
  const devnet = up()
  await devnet.ready()
  const children = devnet.descendants()
  expect(await devnet.stop('SIGHUP')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(children.filter(isRunning)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

test('given a worker thread, when it ends without stop(), then it takes its children along', async () => {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData).then(async ({ AnvilProcess }) => {
      const anvil = new AnvilProcess({ port: 0 })
      await anvil.start()
      parentPort.postMessage(anvil.pid)
    })`
  const module = new URL('../../../devnet/l1/anvil-process.ts', import.meta.url).href
  const worker = new Worker(source, { eval: true, workerData: module })
  const [pid] = await once(worker, 'message')
  expect(isRunning(pid)).toBe(true)
  await worker.terminate()
  await gone([pid])
})

test('given a test or a bench that started a devnet, when it is killed without a word, then the devnet ends with it', async () => {
  const file = new URL('../end-to-end/rollbed-process.ts', import.meta.url).href
  const source = `
    import { RollbedProcess } from '${file}'
    const devnet = new RollbedProcess(['up', '--json', '--port-base', '0', '--enclaves', 'none'])
    await devnet.ready()
    console.log(devnet.descendants().join(' '))`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [said] = await once(starter.stdout, 'data')
    const started = String(said).trim().split(' ').map(Number)
    // Itself and anvil.
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(started.every(isRunning)).toBe(true)
    starter.kill('SIGKILL')
    await gone(started)
  } finally {
    starter.kill('SIGKILL')
  }
})

describe('a machine that says no', () => {
  test('given a description that cannot be written, then `up` ends with exit code 3 and one sentence', async () => {
    for (const file of ['/proc/nope/x', '/dev/full']) {
      const { exitCode, stdout, stderr } = await rollbed(
        ['up', '--json', '--port-base', '0', '--enclaves', 'none', '--config-out', file],
        { env: { TMPDIR: temporary } },
      )
      expect(exitCode).toBe(3)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^MACHINE_LIMIT: The machine refuses: E[A-Z]+: .+\n.+\nRB102: .+\n$/)
    }
    expect(readdirSync(temporary)).toEqual([])
  })

  test('given no room for temporary files, then `up` ends with exit code 3 and one sentence', async () => {
    const { exitCode, stderr } = await rollbed(['up', '--json', '--port-base', '0'], {
      env: { TMPDIR: '/proc' },
    })
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/^MACHINE_LIMIT: .+\n.+TMPDIR.+\nRB102: .+\n$/)
  })

  test('given a working folder that cannot be written, then `up` goes on', async () => {
    const devnet = new RollbedProcess(
      ['up', '--json', '--port-base', '0', '--enclaves', 'none'],
      // root may write everywhere: a file stands in the way of the folder.
      {
        env: { TMPDIR: temporary },
        prepare: (folder) => writeFileSync(join(folder, '.rollbed'), ''),
      },
    )
    const { rpcUrl } = await devnet.ready()
    expect(rpcUrl).toMatch(/^http/)
    const { exitCode, stderr } = await devnet.stop()
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^Commands started here will need URLs: E[A-Z]+.+\n$/)
  })
})
