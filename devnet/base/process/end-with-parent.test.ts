import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'

/** Tells the process ids of all its children; the pipe it tells them on is held open by `sleep` alone. */
const program = `
  import { spawn } from 'node:child_process'
  import { channel } from 'node:diagnostics_channel'
  import { endWithParent } from '${new URL('./end-with-parent.ts', import.meta.url)}'
  channel('child_process').subscribe(({ process: child }) => {
    child.once('spawn', () => console.log(child.spawnfile + ' ' + child.pid))
  })
  const stdio = ['ignore', 'inherit', 'ignore']
  const begin = () => void endWithParent(spawn('sleep', ['300'], { stdio }))
  begin()
  process.stdin.on('data', begin)
`
let pids: number[] = []
afterEach(() => {
  for (const pid of pids) kill(pid)
  pids = []
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone, as it should be.
  }
}

function start() {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface(parent.stdout)[Symbol.asyncIterator]()
  /** Of the next child that it starts. */
  const next = async (name: string): Promise<number> => {
    const { value = '' } = await lines.next()
    const [file, pid] = value.split(' ')
    expect(file).toBe(name)
    pids.push(Number(pid))
    return Number(pid)
  }
  return { parent, next, allGone: once(parent.stdout, 'close') }
}

test('given a guard that is killed, and the next one too, when the parent is killed, then nothing is left running', async () => {
  const { parent, next, allGone } = start()
  await next('sleep')
  const first = await next('/bin/sh')
  parent.stdin.write('another\n')
  await next('sleep')
  kill(first)
  const second = await next('/bin/sh')
  kill(second)
  await next('/bin/sh')
  // The newest knows of children that came after it, as well.
  parent.stdin.write('another\n')
  await next('sleep')
  parent.kill('SIGKILL')
  await allGone
})
