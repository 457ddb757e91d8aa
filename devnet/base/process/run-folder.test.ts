import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRunFolder, sweepRunFolders } from './run-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'rollbed-runs-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

/** Of /proc/PID/stat after the command: the state first. */
const fieldsOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')

/** As if a process had made it. */
function folderOf(pid: number, started: string): string {
  const folder = makeRunFolder(parent)
  const file = join(folder, 'owner.json')
  const owner = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...owner, pid, started }))
  return folder
}

test('given a folder of a process that lives, then it is not swept', () => {
  const folder = makeRunFolder(parent)
  sweepRunFolders(parent)
  expect(existsSync(folder)).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'given a folder of a process that was killed, and whose parent has not looked yet, then it is swept',
  async () => {
    // What a shell began and then became another program for, nobody waits for.
    const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    const lines = createInterface({ input: shell.stdout })
    const pid = Number((await once(lines, 'line'))[0])
    try {
      const folder = folderOf(pid, fieldsOf(pid)[19]!)
      process.kill(pid, 'SIGKILL')
      while (fieldsOf(pid)[0] !== 'Z') await setImmediate()
      sweepRunFolders(parent)
      expect(existsSync(folder)).toBe(false)
    } finally {
      process.kill(pid, 'SIGKILL')
      shell.kill('SIGKILL')
    }
    await once(shell, 'close')
  },
)
