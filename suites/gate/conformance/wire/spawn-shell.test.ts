import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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

test('given a script that ends, then the gate ends too, with nothing left that waits for it', async () => {
  const { gate } = await gateThatRuns('echo ready; exit 7')
  const [code] = await once(gate, 'close')
  expect(code).toBe(0)
})
