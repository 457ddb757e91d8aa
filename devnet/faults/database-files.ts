import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Rng } from '#protocol/random/rng'

/** What a disk writes whole or not at all; bytes. */
const SECTOR = 512

/** The bytes of an SQLite database in WAL mode: the file, and the log beside it. */
export interface DatabaseFiles {
  database: Buffer
  /** Empty where there is none. */
  log: Buffer
}

export function readDatabase(path: string): DatabaseFiles {
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0)
  return { database: readFileSync(path), log }
}

/** Puts these in the place of what is there; nobody may have it open. */
export function writeDatabase(path: string, { database, log }: DatabaseFiles): void {
  writeFileSync(path, database)
  rmSync(`${path}-shm`, { force: true })
  if (log.length > 0) writeFileSync(`${path}-wal`, log)
  else rmSync(`${path}-wal`, { force: true })
}

/** The files of a database as some work would leave them: it is done in a copy. */
export function filesAfter(path: string, work: (copy: DatabaseSync) => void): DatabaseFiles {
  const copy = `${path}.copy`
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  const database = new DatabaseSync(copy)
  try {
    // A commit has to stay in the log.
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF')
    work(database)
    return readDatabase(copy)
  } finally {
    database.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
}

/** Of each sector one or the other, as a loss of power leaves them; what neither has is zero. */
export function mixSectors(before: Buffer, after: Buffer, rng: Rng): Buffer {
  const bytes = Buffer.alloc(Math.max(before.length, after.length))
  before.copy(bytes)
  const draws = rng.bytes(Math.ceil(bytes.length / SECTOR))
  for (const [sector, draw] of draws.entries()) {
    const at = sector * SECTOR
    if (draw % 2 === 0) after.copy(bytes, at, at, at + SECTOR)
  }
  return bytes
}

/** The last sector of an unfinished commit is not there, or it would be one. */
export const withoutLastSector = (log: Buffer): Buffer => log.subarray(0, log.length - SECTOR)
