import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

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
  const [copy, torn] = [`${path}.copy`, `${path}.torn`]
  copyFiles(path, copy)
  const database = new DatabaseSync(copy)
  try {
    // The commit has to stay in the log.
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF')
    write(database)
    copyFiles(copy, torn)
  } finally {
    database.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
  truncateSync(`${torn}-wal`, statSync(`${torn}-wal`).size - MISSING)
  close()
  rmSync(`${path}-shm`, { force: true })
  for (const suffix of ['', '-wal']) renameSync(torn + suffix, path + suffix)
}

function copyFiles(from: string, to: string): void {
  for (const suffix of ['', '-wal']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  }
}
