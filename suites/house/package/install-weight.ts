import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../docs/source-tree.ts'

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** What a file's last part takes on a disk, whatever is in it. */
const DISK_BLOCK = 4_096

/**
 * Bytes on a disk, as `du` counts them, of what `npm install rollbed` adds to a project that has viem, on this
 * machine: the files of the package itself, and of each package that it asks for and viem does not.
 *
 * @param folder of the installed package, without packages below it
 */
export function installWeight(folder: string): { total: number; heaviest: [string, number][] } {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
  const locked: Record<string, LockedPackage> = read('package-lock.json').packages
  const viems = closure(locked, ['viem'])
  const added = [...closure(locked, Object.keys(read('package.json').dependencies))].filter(
    (path) => !viems.has(path),
  )
  const weights = added.map((path): [string, number] => [path, bytesOf(join(ROOT, path))])
  weights.push(['rollbed', bytesOf(folder)])
  return {
    total: weights.reduce((sum, [, bytes]) => sum + bytes, 0),
    heaviest: weights.sort(([, one], [, other]) => other - one).slice(0, 10),
  }
}

/** Folders of these packages and of all that they ask for, as far as they are for this machine. */
function closure(locked: Record<string, LockedPackage>, names: readonly string[]): Set<string> {
  const reached = new Set(names.map((name) => `node_modules/${name}`))
  // A set gives out what is added to it while one walks it.
  for (const path of reached) {
    const { dependencies, optionalDependencies } = locked[path]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeFor(locked, path, name)
      if (found && existsSync(join(ROOT, found))) reached.add(found)
    }
  }
  return reached
}

/** Node looks beside a package's own files first, then in each folder above. */
function placeFor(locked: object, path: string, name: string): string | undefined {
  const place = `${path ? `${path}/` : ''}node_modules/${name}`
  if (place in locked) return place
  if (path === '') return undefined
  return placeFor(locked, path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

function bytesOf(folder: string): number {
  return globSync('**/*', { cwd: folder, exclude: (name) => name === 'node_modules' })
    .map((name) => statSync(join(folder, name)))
    .map((stats) => (stats.isFile() ? stats.size : 1))
    .reduce((sum, size) => sum + Math.ceil(size / DISK_BLOCK) * DISK_BLOCK, 0)
}
