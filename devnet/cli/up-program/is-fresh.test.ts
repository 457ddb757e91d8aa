import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bundleUp } from './bundle-up.ts'
import { bundledProgram, CHECKOUT, isFresh, KEPT_IN, MADE_OF, stateOf } from './is-fresh.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-up-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('given a checkout with a bundle', () => {
  const source = () => join(folder, 'source.ts')
  const describeAs = (root: string, files: Record<string, string>) =>
    writeFile(join(folder, KEPT_IN, MADE_OF), JSON.stringify({ root, files }))

  beforeEach(async () => {
    await mkdir(join(folder, KEPT_IN), { recursive: true })
    await writeFile(source(), 'const one = 1')
    await describeAs(folder, { 'source.ts': stateOf(source()) })
  })

  test('when nothing has changed, then it is taken', () => {
    expect(isFresh(folder)).toBe(true)
    expect(bundledProgram(folder)).toBe(join(folder, KEPT_IN, 'start-up.mjs'))
  })

  test('when a source was written again or is gone, then the sources run', async () => {
    await utimes(source(), 1, 1)
    expect(isFresh(folder)).toBe(false)
    await rm(source())
    expect(isFresh(folder)).toBe(false)
    expect(bundledProgram(folder)).toBe(undefined)
  })

  test('when it is of another checkout or cannot be read, then the sources run', async () => {
    await describeAs(join(folder, 'other'), { 'source.ts': stateOf(source()) })
    expect(isFresh(folder)).toBe(false)
    await writeFile(join(folder, KEPT_IN, MADE_OF), '{')
    expect(isFresh(folder)).toBe(false)
    await rm(join(folder, KEPT_IN), { recursive: true })
    expect(isFresh(folder)).toBe(false)
  })
})

test('given the bundle, when its help and its errors are asked for, then they are those of the sources', async () => {
  const outDir = join(CHECKOUT, `${KEPT_IN}.test`)
  try {
    const made = await bundleUp({ outDir, modulesDir: CHECKOUT, extension: '.ts' })
    expect(made).toContain('devnet/start-devnet.ts')
    expect(made).toContain('devnet/cli/up.ts')
    // Who changes how it is bundled has another bundle.
    expect(made).toContain('devnet/cli/up-program/bundle-up.ts')
    const script = `
      const [program, name, ...args] = process.argv.slice(1)
      process.exitCode = await (await import(program))[name](args)`
    const node = (program: string, name: string, ...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '-e', script, program, name, ...args],
        { cwd: folder },
      ).catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }))
    const bundle = pathToFileURL(join(outDir, 'run-up.mjs')).href
    const both = async (...args: string[]) => {
      const [bundled, sources] = await Promise.all([
        node(bundle, 'runUp', ...args),
        node(pathToFileURL(join(CHECKOUT, 'devnet/cli/run.ts')).href, 'run', ...args),
      ])
      expect(bundled).toEqual(sources)
      return sources
    }
    const files = await readdir(outDir)
    const texts = await Promise.all(files.map((file) => readFile(join(outDir, file), 'latin1')))
    expect(texts.join('')).toMatch(/^[\0-\x7f]*$/)
    // What it asks of itself is another's place; what it writes for the enclave's program is as it was.
    const program = join(CHECKOUT, 'enclave-sim/image/bundle-program.ts')
    const [, banner] = /js: "(.*)"/.exec(await readFile(program, 'utf8'))!
    expect(banner).toContain('import.meta.url')
    expect(texts.filter((text) => text.includes(banner!))).toHaveLength(1)
    // Its threads are programs of the bundle: one of a source strips types, which takes 17 MB.
    expect(texts.join('')).not.toMatch(/-worker\.ts/)
    const threads = texts.join('').match(/[\w-]+-worker\.mjs/g)!
    expect(files).toEqual(expect.arrayContaining(threads))
    const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const workerData = { beats, interval: 1, limit: 2, logFormat: undefined }
    const thread = new Worker(join(outDir, 'stall-watch-worker.mjs'), { workerData, execArgv: [] })
    expect(await once(thread, 'message')).toEqual([{ began: true }])
    await thread.terminate()
    expect((await both('up', '--help')).stdout).toContain('--port-base')
    expect((await node(bundle, 'runUp', 'host', '--help')).stdout).toContain('--vsock-cid')
    expect((await both('actors', 'proposer', '--help')).stdout).toContain('--finality')
    expect((await both('up', '--port-base', 'x')).stderr).toMatch(/^USAGE: /)
    expect((await both('up', '--fork-url', 'http://127.0.0.1:1')).stderr).toMatch(/^FORK_/)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
})
