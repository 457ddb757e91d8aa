import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

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
  settings: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, XDG_CACHE_HOME: cache, ...settings }
  return new Promise((resolve) => {
    execFile(join(root, 'devnet', 'cli', 'rollbed.sh'), { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const installed = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin', 'node')
const node = () => join(root, 'node_modules', 'node', 'bin', 'node')

test('given the Node that npm installed, then the start takes it, with a cache folder or without', async () => {
  cpSync(installed, node())
  for (const cache of [undefined, undefined, '/proc/nowhere'])
    expect(await run(cache)).toEqual({ code: 0, stdout: 'it runs\n', stderr: '' })
})

test('given many objects that live shortly, then they fill a quarter of what V8 would give them', async () => {
  cpSync(installed, node())
  // The newest 100,000 are held, so that each collection has to copy and V8 would like more room.
  writeFileSync(
    join(root, 'devnet', 'cli', 'main.ts'),
    `import { getHeapSpaceStatistics } from 'node:v8'
    const held = []
    let most = 0
    for (let made = 0; made < 3_000_000; made++) {
      held[made % 100_000] = { made, text: 'object ' + made }
      if (made % 50_000 > 0) continue
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      most = Math.max(most, young.space_size)
    }
    console.log(most / 2 ** 20)`,
  )
  const { stdout } = await run()
  expect(Number(stdout)).toBeGreaterThan(4)
  expect(Number(stdout)).toBeLessThanOrEqual(34)
})

test.skipIf(process.platform !== 'linux')(
  'given another binary in its place, then it is not run, also after a genuine one was',
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

test('given a Node that is new enough on the PATH or under npm, then that one is taken', async () => {
  /** A folder with a `node` that says its version. */
  const found = (version: string) => {
    const bin = join(root, `bin-${version}`)
    mkdirSync(bin)
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo ${version} runs\n`
    writeFileSync(join(bin, 'node'), script, { mode: 0o755 })
    return bin
  }
  const [old, fit, next] = [found('v20.20.2'), found('v24.0.0'), found('v26.1.0')]
  const path = (bin: string) => ({ PATH: `${bin}:/usr/bin:/bin`, npm_node_execpath: '' })
  expect((await run(undefined, path(fit))).stdout).toBe('v24.0.0 runs\n')
  expect((await run(undefined, path(next))).stdout).toBe('v26.1.0 runs\n')
  const underNpm = { ...path(old), npm_node_execpath: join(fit, 'node') }
  expect((await run(undefined, underNpm)).stdout).toBe('v24.0.0 runs\n')
})

test.each([
  ['v22.14.0', 'not taken'],
  ['v22.15.0', 'v22.15.0 runs\n'],
  ['v22.23.3', 'v22.23.3 runs\n'],
])(
  'given the package, when Node %s is on the PATH, then it is taken from 22.15 on',
  async (version, expected) => {
    rmSync(join(root, 'devnet', 'cli', 'main.ts'))
    const bin = join(root, 'bin')
    mkdirSync(bin)
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo ${version} runs\n`
    writeFileSync(join(bin, 'node'), script, { mode: 0o755 })
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const settings = { PATH: `${bin}:/usr/bin:/bin`, npm_node_execpath: '' }
    const { code, stdout } = await run(undefined, settings)
    expect(code === 0 ? stdout : 'not taken').toBe(expected)
  },
)

describe('given no Node that is new enough', () => {
  /** A PATH with a few system commands, an old Node, and perhaps an npm. */
  const poor = (npm?: string) => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    for (const name of [
      'sh',
      'readlink',
      'dirname',
      'uname',
      'mkdir',
      'mv',
      'rm',
      'ls',
      'cat',
      'cp',
      'sha512sum',
    ]) {
      symlinkSync(
        realpathSync(execFileSync('which', [name], { encoding: 'utf8' }).trim()),
        join(bin, name),
      )
    }
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 })
    if (npm) writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}`, { mode: 0o755 })
    return { PATH: bin, npm_node_execpath: '' }
  }
  /** What npm does of `npm install --prefix FOLDER … node@VERSION`. */
  const installs = (binary: string) =>
    `echo "$@" >>'${root}/asked'\nmkdir -p "$3/node_modules/node/bin" && cp '${binary}' "$3/node_modules/node/bin/node"\n`

  test('then npm fetches one, once', async () => {
    const settings = poor(installs(installed))
    const first = await run(undefined, settings)
    expect(first).toMatchObject({ code: 0, stdout: 'it runs\n' })
    expect(first.stderr).toContain('fetching Node 24')
    expect(await run(undefined, settings)).toEqual({ code: 0, stdout: 'it runs\n', stderr: '' })
    expect(readFileSync(join(root, 'asked'), 'utf8').match(/node@24/g)).toHaveLength(1)
    expect(readdirSync(join(root, 'cache', 'rollbed')).toSorted()).toEqual([
      'checked-node',
      expect.stringMatching(/^node-24\.\d+\.\d+$/),
    ])
  })

  test.skipIf(process.platform !== 'linux')('then what npm brings is checked', async () => {
    const other = join(root, 'other')
    writeFileSync(other, '#!/bin/sh\necho taken over\n', { mode: 0o755 })
    const { code, stdout, stderr } = await run(undefined, poor(installs(other)))
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('NODE_NOT_GENUINE')
  })

  test.each([
    ['no npm', undefined],
    ['an npm that fails', 'echo offline >&2; exit 1\n'],
  ])('given %s beside it, then one sentence says what to do', async (_, npm) => {
    const { code, stdout, stderr } = await run(undefined, poor(npm))
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('ENVIRONMENT_NODE: rollbed needs Node.js 24 or newer.')
    expect(stderr).toContain("'npm install --save-dev node@24'")
  })
})
