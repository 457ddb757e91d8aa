import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rollbed-sh-'))
  mkdirSync(join(root, 'devnet', 'cli'), { recursive: true })
  mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true })
  cpSync(join(import.meta.dirname, 'rollbed.sh'), join(root, 'devnet', 'cli', 'rollbed.sh'))
  writeFileSync(join(root, 'devnet', 'cli', 'main.ts'), 'console.log("it runs")')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param cache what a user's cache folder is */
function run(
  cache = join(root, 'cache'),
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, XDG_CACHE_HOME: cache }
  return new Promise((resolve) => {
    execFile(join(root, 'devnet', 'cli', 'rollbed.sh'), { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const installed = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin', 'node')
const node = () => join(root, 'node_modules', 'node', 'bin', 'node')

test('the Node that npm installed is the one that the start checks for, with a cache folder or without', async () => {
  cpSync(installed, node())
  for (const cache of [undefined, undefined, '/proc/nowhere'])
    expect(await run(cache)).toEqual({ code: 0, stdout: 'it runs\n', stderr: '' })
})

test.skipIf(process.platform !== 'linux')(
  'another binary in its place is not run, also after a genuine one was',
  async () => {
    cpSync(installed, node())
    expect(await run()).toMatchObject({ code: 0 })
    writeFileSync(node(), '#!/bin/sh\necho taken over\n')
    chmodSync(node(), 0o755)
    const { code, stdout, stderr } = await run()
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^NODE_NOT_GENUINE: .+\n$/)
  },
)
