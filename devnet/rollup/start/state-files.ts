import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
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

/** Writes a new file and then renames it, so a file that is there is whole; it is on disk when this returns. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Of SQLite, beside a database. */
const SUFFIXES = ['-wal', '-shm', '-journal']

/** The files that SQLite has beside a database while it is open, and after a crash. */
export function besideDatabase(path: string): string[] {
  return SUFFIXES.map((suffix) => path + suffix).filter((one) => existsSync(one))
}

/** Whether a file has the name of one in a folder of `--state`. */
export function isStateFile(path: string): boolean {
  const name = basename(path)
  const suffix = SUFFIXES.find((each) => name.endsWith(each)) ?? ''
  return Object.values<string>(STATE_FILES).includes(name.slice(0, name.length - suffix.length))
}

/** Of the marker of version 1, which had the name of what `rollbed up` describes a running devnet in. */
export const OLD_FORMAT = 'rollbed-devnet'

/** Whether this text of a `devnet.json` says what a devnet began with, and does not describe a running one. */
export function isOldMarker(text: string): boolean {
  return text.includes(`"${OLD_FORMAT}"`)
}

/** Takes everybody else's rights to a file of ours, and to what SQLite has beside it. */
export function makePrivate(path: string): void {
  for (const one of [path, ...besideDatabase(path)]) {
    const { mode, uid } = statSync(one, { throwIfNoEntry: false }) ?? {}
    if (mode && (mode & 0o077) !== 0 && uid === process.geteuid?.()) chmodSync(one, 0o600)
  }
}
