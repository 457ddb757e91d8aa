import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bytesToUnprefixedHex } from '@ethereumjs/util'
import { systemRng } from '#protocol/random/rng'

const enclaveRoom = join(import.meta.dirname, '..')
/** The published package comes with its enclave; a checkout has none here. */
const prebuilt = join(import.meta.dirname, 'enclave-program.mjs')

/**
 * The bundled enclave: that of the published package, or in a checkout built at most once per state of
 * its sources and of the installed packages, and kept under node_modules/.cache/rollbed by a hash of both.
 * Older bundles are dropped.
 */
export function cachedProgram(): Promise<Uint8Array> {
  building ??= readOrBuild()
  return building
}

let building: Promise<Uint8Array> | undefined

async function readOrBuild(): Promise<Uint8Array> {
  if (existsSync(prebuilt)) return readFileSync(prebuilt)
  const modules = join(
    dirname(createRequire(import.meta.url).resolve('esbuild/package.json')),
    '..',
  )
  const directory = join(modules, '.cache/rollbed/enclave')
  const path = join(directory, `${sourceHash(modules)}.mjs`)
  if (existsSync(path)) return readFileSync(path)

  const { bundleProgram } = await import('./bundle-program.ts')
  const program = await bundleProgram()
  try {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    // Renamed into place: a reader never sees half a file.
    const partial = `${path}.${bytesToUnprefixedHex(systemRng.bytes(8))}`
    await writeFile(partial, program)
    await rename(partial, path)
  } catch {
    // A read-only installation builds anew each time.
  }
  return program
}

function sourceHash(modules: string): string {
  const hash = createHash('sha256')
  const sources = readdirSync(enclaveRoom, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
  for (const name of sources) hash.update(`${name}\0`).update(readFileSync(join(enclaveRoom, name)))
  const lock = join(modules, '.package-lock.json')
  hash.update(existsSync(lock) ? readFileSync(lock) : modules)
  return hash.digest('hex').slice(0, 32)
}
