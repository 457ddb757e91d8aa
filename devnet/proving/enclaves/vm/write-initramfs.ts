import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type CpioEntry, cpioArchive } from './cpio-archive.ts'

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = fileURLToPath(new URL('./guest-init.ts', import.meta.url))
const INIT = import.meta.url.endsWith('.ts') ? SOURCE : SOURCE.replace(/ts$/, 'js')

export interface InitramfsOptions {
  /** File to write. */
  path: string
  /** An image for AF_VSOCK, as `buildImage` made it. */
  imageDir: string
  /** Kernel modules in the order to load them. */
  modules: string[]
  nodeBinary: string
}

/**
 * Writes a guest's whole file system: Node with its shared libraries, the kernel modules, the enclave
 * image, and the init that starts it. About 130 MB, nearly all of it Node.
 */
export async function writeInitramfs(options: InitramfsOptions): Promise<void> {
  const { path, imageDir, modules, nodeBinary } = options
  const addons = readdirSync(imageDir).filter((name) => name.endsWith('.node'))
  const programs = [nodeBinary, ...addons.map((name) => join(imageDir, name))]
  const libraries = await sharedLibraries(programs)
  const file = (name: string, source: string, executable = false): CpioEntry => ({
    kind: 'file',
    name,
    executable,
    read: () => readFileSync(source),
  })
  const entries: CpioEntry[] = [
    { kind: 'directory', name: 'proc' },
    // The first process gets the console as its standard streams.
    { kind: 'device', name: 'dev/console', major: 5, minor: 1 },
    { kind: 'device', name: 'dev/null', major: 1, minor: 3 },
    file('init', INIT, true),
    file('bin/node', nodeBinary, true),
    ...libraries.map((library) => file(library.slice(1), library, true)),
    ...modules.map((module, index) =>
      file(`modules/${String(index).padStart(2, '0')}-${basename(module)}`, module),
    ),
    ...readdirSync(imageDir)
      .sort()
      .map((name) => file(`enclave/image/${name}`, join(imageDir, name))),
  ]
  await writeFile(path, cpioArchive(entries), { mode: 0o600 })
}

/** Absolute paths of what programs are linked with, the loader too. */
async function sharedLibraries(programs: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', programs)
  return librariesOf(stdout)
}

/**
 * Reads ldd(1): `libm.so.6 => /lib/libm.so.6 (0x…)`, or a path alone for the loader.
 * @example librariesOf('\tlibm.so.6 => /lib/libm.so.6 (0x7f)') // ['/lib/libm.so.6']
 */
export function librariesOf(ldd: string): string[] {
  return [...new Set([...ldd.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!))]
}
