import { type ChildProcess, spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { availableIsolation } from './isolation.ts'
import { startLaunchers, tellLauncher } from './start-launchers.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'rb-')))
const isolation = await availableIsolation()
/** Elsewhere a program is isolated from its first instruction on, or not at all. */
const launched = test.skipIf(isolation !== 'netns' && isolation !== 'seccomp')

/** Node announces every child it makes. */
let children: ChildProcess[] = []
const announced = (message: unknown) => {
  const { process: child } = message as { process: ChildProcess }
  children.push(child)
}
beforeAll(() => channel('child_process').subscribe(announced))
afterAll(() => {
  channel('child_process').unsubscribe(announced)
  rmSync(directory, { recursive: true })
})

const program = join(directory, 'program.mjs')
writeFileSync(
  program,
  `import { readFileSync } from 'node:fs'
const filtered = /^Seccomp:\\s+2$/m.test(readFileSync('/proc/self/status', 'utf8'))
const { pid, env: environment } = process
const input = readFileSync(0, 'utf8')
console.log(JSON.stringify({ pid, directory: process.cwd(), environment, input, filtered }))`,
)

/** What the program says that a launcher becomes. */
async function said(launcher: ChildProcess): Promise<object> {
  tellLauncher(launcher, directory, [process.execPath, program])
  return JSON.parse(await text(launcher.stdout!))
}

launched(
  'when it is told, then a launcher becomes the program, confined, and without environment or input',
  async () => {
    const launchers = startLaunchers(1)
    const launcher = (await launchers.take())!
    expect(await said(launcher)).toEqual({
      ...{ pid: launcher.pid, directory, environment: {}, input: '', filtered: true },
    })
    expect(await launchers.take()).toBeUndefined()
  },
)

launched(
  'given one that has died while it waited, then the next is taken, and a stop ends what is left',
  async () => {
    children = []
    const launchers = startLaunchers(4)
    const first = (await launchers.take())!
    const [, dead, next, left] = children
    dead!.kill('SIGKILL')
    await once(dead!, 'close')
    expect(await launchers.take()).toBe(next)
    await launchers.stop()
    expect(left!.signalCode).toBe('SIGKILL')
    // Those that were taken have another owner.
    for (const taken of [first, next!]) expect(await said(taken)).toMatchObject({ pid: taken.pid })
  },
)

launched('given a parent that is killed, then a launcher that waits is gone, too', async () => {
  const entry = JSON.stringify(new URL('./start-launchers.ts', import.meta.url))
  const source = `const { startLaunchers } = await import(${entry})
console.log((await startLaunchers(1).take()).pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source])
  const [pid] = await once(parent.stdout, 'data')
  const running = `/proc/${Number(pid)}/exe`
  expect(existsSync(running)).toBe(true)
  parent.kill('SIGKILL')
  while (existsSync(running)) await new Promise(setImmediate)
})
