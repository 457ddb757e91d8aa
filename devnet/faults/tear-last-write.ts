import type { DatabaseSync } from 'node:sqlite'
import { filesAfter, writeDatabase } from './database-files.ts'

/** Half a page, so that the last frame of the log is not whole; bytes. */
const MISSING = 2_077

/**
 * Leaves a SQLite database as a crash in the middle of a write does: all that was committed, and behind
 * it the half of a commit that nobody was told of.
 *
 * @param path of the database, in WAL mode
 * @param close ends the connections to it
 * @param write makes the commit that is torn, in a copy
 */
export function tearLastWrite(
  path: string,
  close: () => void,
  write: (copy: DatabaseSync) => void,
): void {
  const { database, log } = filesAfter(path, write)
  close()
  writeDatabase(path, { database, log: log.subarray(0, log.length - MISSING) })
}
