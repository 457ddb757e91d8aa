import { spawn } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { spawnShell } from './spawn-shell.ts'

const MODULE = new URL('./spawn-shell.ts', import.meta.url).href

/** A gate that started this script, told by its process group once the script printed something. */
async function gateThatRuns(script: string) {
  const source = `
    import { spawnShell } from '${MODULE}'
    const { signal } = new AbortController()
    const child = spawnShell(${JSON.stringify(script)}, [], { signal })
    while (!child.output()) await new Promise(setImmediate)
    console.log(child.pid)`
  const gate = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(gate.stdout.setEncoding('utf8'), 'data')
  return { gate, group: Number.parseInt(line, 10) }
}

/** Whether one of a process group runs. From /proc/PID/stat, proc(5): state, parent, group. */
const isRunning = (group: number) =>
  readdirSync('/proc').some((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(own) === group && state !== 'Z'
    } catch {
      return false
    }
  })

test('given a gate that is killed without a word, then all that it started ends with it', async () => {
  const { gate, group } = await gateThatRuns('sleep 1000 & echo ready; sleep 1000')
  expect(isRunning(group)).toBe(true)
  gate.kill('SIGKILL')
  while (isRunning(group)) await new Promise(setImmediate)
})

test('given a gate that is killed before anybody can end what it has just started, then nothing of that runs', async () => {
  // The second process that it starts is who would end the first.
  const dies = `
    import processes from 'node:child_process'
    import { syncBuiltinESMExports } from 'node:module'
    const { spawn } = processes
    let started
    processes.spawn = (...args) => {
      if (started) {
        console.log(started.pid)
        process.kill(process.pid, 'SIGKILL')
      }
      return (started = spawn(...args))
    }
    syncBuiltinESMExports()
    const { spawnShell } = await import('${MODULE}')
    spawnShell('exec sleep 1000', [], new AbortController())`
  const gate = spawn(process.execPath, ['--input-type=module', '-e', dies])
  const [line] = await once(gate.stdout.setEncoding('utf8'), 'data')
  while (isRunning(Number.parseInt(line, 10))) await new Promise(setImmediate)
})

test('given a script that ends, then the gate ends too, with nothing left that waits for it', async () => {
  const { gate } = await gateThatRuns('echo ready; exit 7')
  const [code] = await once(gate, 'close')
  expect(code).toBe(0)
})

test('given a script that ends and leaves somebody who holds its output, then it has ended, with all that it said', async () => {
  const { signal } = new AbortController()
  const child = spawnShell('sleep 1000 & head -c 100000 /dev/zero | tr "\\0" x; exit 7', [], {
    signal,
  })
  expect(await child.ended).toBe(7)
  expect([child.isOver(), child.output().length]).toEqual([true, 100_000])
  expect(isRunning(child.pid!)).toBe(true)
  child.kill()
  while (isRunning(child.pid!)) await new Promise(setImmediate)
})

test('given one that left somebody, when the signal comes, then nobody is left', async () => {
  const end = new AbortController()
  const child = spawnShell('sleep 1000 & exit 0', [], { signal: end.signal })
  await child.ended
  end.abort()
  while (isRunning(child.pid!)) await new Promise(setImmediate)
})

test('given one of whom nobody is left, then nothing is killed by its number any more', async () => {
  const { signal } = new AbortController()
  const child = spawnShell('exit 0', [], { signal })
  await child.ended
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const kill = vi.spyOn(process, 'kill')
  child.kill()
  expect(kill).not.toHaveBeenCalled()
  kill.mockRestore()
})
