import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Rng, randomInt } from '#protocol/random/rng'
import type { FoldersToTear } from './make-folders-to-tear.ts'
import type { TornCase } from './torn-case.ts'

const PAGE = 4_096
/** What a disk writes whole or not at all; bytes. */
const SECTOR = 512

interface Kinds {
  /** Pages that stand in the place of another, of each database. */
  misdirected: number
  /** Writes of a page that never came, of each database; Infinity for all. */
  lost: number
  /** Losses of power of each database, in a commit and in a checkpoint. */
  power: number
}

/**
 * What a disk does that says of each write that it is done: it writes it to another place, or nowhere; and what a
 * loss of power leaves of writes that it was not told to finish.
 */
export function diskCases(
  folders: FoldersToTear,
  databases: readonly string[],
  rng: Rng,
  { misdirected, lost, power }: Kinds,
): TornCase[] {
  return databases.flatMap((file) => {
    const pages = readFileSync(join(folders.stopped, file)).length / PAGE
    return [
      ...times(misdirected, () => misdirect(file, randomInt(rng, pages), randomInt(rng, pages))),
      ...lostPages(folders, file, lost, rng).map((page) => lose(folders, file, page)),
      ...times(power, (turn) => cutPower(file, rng, turn)),
      ...times(power, (turn) => cutPowerInCheckpoint(file, rng, turn)),
    ]
  })
}

const times = <T>(count: number, make: (turn: number) => T): T[] =>
  Array.from({ length: count }, (_, turn) => make(turn))

/** What was meant for one page was written over another, and the first is as it was. */
function misdirect(file: string, from: number, to: number): TornCase {
  return {
    name: `stopped: ${file} page ${to} is page ${from}`,
    ...{ file, kind: 'misdirected', from: 'stopped' },
    damage(folder) {
      const path = join(folder, file)
      const bytes = readFileSync(path)
      bytes.copy(bytes, to * PAGE, from * PAGE, (from + 1) * PAGE)
      writeFileSync(path, bytes)
    },
  }
}

/** Pages that were written since the devnet was stopped before. */
function lostPages(folders: FoldersToTear, file: string, most: number, rng: Rng): number[] {
  const [older, newer] = [folders.older, folders.stopped].map((each) =>
    readFileSync(join(each, file)),
  ) as [Buffer, Buffer]
  const changed = Array.from({ length: older.length / PAGE }, (_, page) => page).filter(
    (page) => !pageOf(older, page).equals(pageOf(newer, page)),
  )
  while (changed.length > most) changed.splice(randomInt(rng, changed.length), 1)
  return changed
}

const pageOf = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE, (page + 1) * PAGE)

function lose(folders: FoldersToTear, file: string, page: number): TornCase {
  return {
    name: `stopped: ${file} page ${page} was never written again`,
    ...{ file, kind: 'write lost', from: 'stopped' },
    damage(folder) {
      const path = join(folder, file)
      const bytes = readFileSync(path)
      pageOf(readFileSync(join(folders.older, file)), page).copy(bytes, page * PAGE)
      writeFileSync(path, bytes)
    },
  }
}

/** Of a commit that nobody was told of any sectors are there, but for the last one that makes it one. */
function cutPower(file: string, rng: Rng, turn: number): TornCase {
  const draws = rng.bytes(4_096)
  return {
    name: `killed: ${file} power lost in a commit, ${turn}`,
    ...{ file, kind: 'power lost', from: 'killed' },
    damage(folder) {
      const path = join(folder, file)
      const before = readFileSync(`${path}-wal`)
      const after = inCopy(path, (copy) => {
        copy.exec('CREATE TABLE unfinished (value BLOB)')
        copy.exec('INSERT INTO unfinished VALUES (zeroblob(30000))')
      })
      const log = after.log.subarray(0, after.log.length - SECTOR)
      writeFileSync(`${path}-wal`, mixed(before, log, draws))
    },
  }
}

/** All of the log is there, and of what was copied from it into the database any sectors are. */
function cutPowerInCheckpoint(file: string, rng: Rng, turn: number): TornCase {
  const draws = rng.bytes(4_096)
  return {
    name: `killed: ${file} power lost in a checkpoint, ${turn}`,
    ...{ file, kind: 'power lost', from: 'killed' },
    damage(folder) {
      const path = join(folder, file)
      const { database } = inCopy(path, (copy) => copy.exec('PRAGMA wal_checkpoint(PASSIVE)'))
      writeFileSync(path, mixed(readFileSync(path), database, draws))
      rmSync(`${path}-shm`, { force: true })
    },
  }
}

/** The files of a database as they are after some work, which is done in a copy. */
function inCopy(path: string, work: (copy: DatabaseSync) => void) {
  const copy = `${path}.copy`
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  const database = new DatabaseSync(copy)
  try {
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF')
    work(database)
    return { database: readFileSync(copy), log: readFileSync(`${copy}-wal`) }
  } finally {
    database.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
}

/** Of each sector one or the other; what neither wrote is zero. */
function mixed(before: Buffer, after: Buffer, draws: Uint8Array): Buffer {
  const length = Math.max(before.length, after.length)
  const bytes = Buffer.alloc(length)
  before.copy(bytes)
  for (let at = 0, sector = 0; at < length; at += SECTOR, sector++)
    if (draws[sector % draws.length]! % 2 === 0) after.copy(bytes, at, at, at + SECTOR)
  return bytes
}
