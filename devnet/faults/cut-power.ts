import type { DatabaseSync } from 'node:sqlite'
import { type Rng, randomInt } from '#protocol/random/rng'
import {
  filesAfter,
  mixSectors,
  readDatabase,
  withoutLastSector,
  writeDatabase,
} from './database-files.ts'

export interface PowerCut {
  /** Ends the connections to it. */
  close(): void
  /** Makes the commit under way, in a copy. */
  write(copy: DatabaseSync): void
  /** Whether each commit waited until the disk had it. */
  isSynced: boolean
  rng: Rng
}

/**
 * Leaves a SQLite database, in WAL mode, as a loss of power does: of what the disk was not told to finish any
 * sectors are there, be that a commit under way, what was being copied from the log into the database, or, where
 * commits did not wait for the disk, the log itself.
 */
export function cutPower(path: string, { close, write, isSynced, rng }: PowerCut): void {
  const { database, log } = readDatabase(path)
  const isInCheckpoint = log.length > 0 && randomInt(rng, 2) === 0
  const checkpoint = (copy: DatabaseSync) => copy.exec('PRAGMA wal_checkpoint(PASSIVE)')
  const after = filesAfter(path, isInCheckpoint ? checkpoint : write)
  close()
  const left = isInCheckpoint ? log : mixSectors(log, withoutLastSector(after.log), rng)
  writeDatabase(path, {
    database: isInCheckpoint ? mixSectors(database, after.database, rng) : database,
    log: isSynced ? left : mixSectors(Buffer.alloc(0), left, rng),
  })
}
