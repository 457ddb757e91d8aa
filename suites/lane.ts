import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Packages that few tests need and that weigh much: each lane has a lock file of its own. */
export const LANES = ['clients', 'engine', 'package', 'site', 'stryker'] as const
export type LaneName = (typeof LANES)[number]

export interface Lane {
  folder: string
  /** Whether `npm run lanes` has been here: a test that needs a lane is skipped without it. */
  isInstalled: boolean
  /** Where a file of one of its packages is, such as `hardhat/dist/src/hre.js`. */
  file(path: string): string
  /**
   * Imports a file of one of its packages.
   * @typeParam Module what the caller uses of it: the types of a lane are not there in a checkout without it
   * @throws Error when the lane is not installed
   */
  load<Module>(path: string): Promise<Module>
}

/** One lane, installed or not. */
export function lane(name: LaneName): Lane {
  const folder = join(import.meta.dirname, 'tools', 'lanes', name)
  const isInstalled = existsSync(join(folder, 'node_modules', '.package-lock.json'))
  const file = (path: string) => join(folder, 'node_modules', path)
  return {
    folder,
    isInstalled,
    file,
    async load<Module>(path: string) {
      if (!isInstalled)
        throw new Error(`${path} is not here: install it by '${howToInstall(name)}'.`)
      return (await import(pathToFileURL(file(path)).href)) as Module
    },
  }
}

/** The command that installs a lane and runs its tests. */
export const howToInstall = (name: LaneName) => `npm run lanes -- ${name}`
