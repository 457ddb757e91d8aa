import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { unreadable } from '#devnet/base/process/kept-errors'

/** The databases of a devnet that outlives its process. */
export const DATABASES = ['l1', 'l2', 'builderCodes'] as const
export type DatabaseName = (typeof DATABASES)[number]

/** What lies in the folder of `--state`. */
export const STATE_FILES = {
  l1: 'l1.sqlite',
  l2: 'l2.sqlite',
  builderCodes: 'builder-codes.sqlite',
  settings: 'rollbed-state.json',
  progress: 'rollbed-progress.json',
  /** Taken by the process that uses the folder; nothing is in it. */
  lock: 'lock',
} as const

/** Undefined where there is no such file. @throws RollbedError STATE_UNREADABLE */
export function readWhole(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw unreadable(file, message, error)
  }
}

/** Writes a new file and then renames it, so a file that is there is whole. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** The files that SQLite has beside a database while it is open, and after a crash. */
export function besideDatabase(path: string): string[] {
  return ['-wal', '-shm', '-journal']
    .map((suffix) => path + suffix)
    .filter((one) => existsSync(one))
}
