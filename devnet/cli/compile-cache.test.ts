import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownFolder } from '#devnet/base/process/own-folder'

const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'rollbed-cache-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

test('given no folder, when one of our own is made, then it is open to its owner alone', async () => {
  const folder = join(home, '.cache', 'rollbed')
  expect(ownFolder(folder)).toBe(folder)
  expect((await lstat(folder)).mode & 0o777).toBe(0o700)
  expect(ownFolder(folder)).toBe(folder)
})

test('given a folder that others may read or write, or that stands in such a one, then it is not taken', async () => {
  const folder = join(home, 'open', 'rollbed')
  await mkdir(folder, { recursive: true })
  for (const mode of [0o755, 0o770, 0o707]) {
    await chmod(folder, mode)
    expect(ownFolder(folder)).toBeUndefined()
  }
  await chmod(folder, 0o700)
  expect(ownFolder(folder)).toBe(folder)
  await chmod(join(home, 'open'), 0o777)
  expect(ownFolder(folder)).toBeUndefined()
  await chmod(join(home, 'open'), 0o1777)
  expect(ownFolder(folder)).toBe(folder)
})

test('given a link, a file in the way or a folder that cannot be made, then there is no cache', async () => {
  await mkdir(join(home, 'target'), { mode: 0o700 })
  await symlink(join(home, 'target'), join(home, 'link'))
  expect(ownFolder(join(home, 'link'))).toBeUndefined()
  expect(ownFolder('/dev/null/rollbed')).toBeUndefined()
  expect(ownFolder('/proc/rollbed')).toBeUndefined()
})

test.skipIf(!isRoot)(
  "given another user's folder, then neither it nor one inside it is taken",
  async () => {
    const folder = join(home, 'planted', 'rollbed')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chown(folder, NOBODY, NOBODY)
    expect(ownFolder(folder)).toBeUndefined()
    await chown(folder, 0, 0)
    expect(ownFolder(folder)).toBe(folder)
    await chown(join(home, 'planted'), NOBODY, NOBODY)
    expect(ownFolder(folder)).toBeUndefined()
  },
)

test('given a command, when it runs, then its compiled code is kept there and the temporary folder left alone', async () => {
  const temporary = join(home, 'tmp')
  await mkdir(temporary)
  const env = { ...process.env, TMPDIR: temporary, XDG_CACHE_HOME: join(home, 'caches') }
  // What the test runner itself was started with is not what a user has.
  delete (env as NodeJS.ProcessEnv).NODE_COMPILE_CACHE
  await promisify(execFile)(join(import.meta.dirname, 'rollbed.sh'), ['--version'], { env })
  expect(await readdir(temporary)).toEqual([])
  expect(await readdir(join(home, 'caches', 'rollbed', 'compiled'))).not.toEqual([])
})
