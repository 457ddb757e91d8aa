import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { rollbed } from '../end-to-end/rollbed-process.ts'
import { firstLine } from './killed-devnet.ts'
import { unpackVersion1 } from './unpack-version1.ts'

const COMMAND = join(import.meta.dirname, '..', '..', '..', 'devnet', 'cli', 'rollbed.sh')

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-described-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.each(['devnet.json', 'l2.sqlite', 'lock', 'l1.sqlite-wal'])(
  'given a folder of version 1, when a devnet is to be described in its %s, then that is refused by name and left',
  async (name) => {
    const state = newFolder()
    unpackVersion1(state)
    const file = join(state, name)
    const before = existsSync(file) && readFileSync(file)
    expect(await rollbed(['up', '--config-out', file, '--port-base', '0'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`USAGE: ${file} is no description`),
    })
    expect(existsSync(file) && readFileSync(file)).toEqual(before)
  },
)

test('given a folder of version 1 where commands look for a devnet, when one is started there without it, then its marker stays, and the start says that commands need URLs', async () => {
  const folder = newFolder()
  const state = join(folder, '.rollbed')
  unpackVersion1(state)
  const marker = join(state, 'devnet.json')
  const before = readFileSync(marker, 'utf8')
  const { ready, complaints, stop } = await up(folder)
  expect(ready).toBe(true)
  expect(readFileSync(marker, 'utf8')).toBe(before)
  await stop()
  expect(readFileSync(marker, 'utf8')).toBe(before)
  expect(await complaints).toContain(`will need URLs: ${marker} is no description`)
})

test('given a description to be written where commands look for one, when a devnet starts, then it does not take itself for another', async () => {
  const file = join('.rollbed', 'devnet.json')
  const { ready, complaints, stop } = await up(newFolder(), '--config-out', file)
  expect(ready).toBe(true)
  await stop()
  expect(await complaints).toBe('')
})

async function up(folder: string, ...flags: string[]) {
  const child = spawn(
    COMMAND,
    ['up', '--json', '--port-base', '0', '--enclaves', 'none', ...flags],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const complaints = text(child.stderr)
  const ready = (await firstLine(child)) !== undefined
  const stop = async () => {
    const closed = once(child, 'close')
    child.kill('SIGINT')
    await closed
  }
  return { ready, complaints, stop }
}
