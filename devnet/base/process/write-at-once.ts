import type { DatabaseSync } from 'node:sqlite'

/**
 * Writes in one transaction of SQLite: all of it or nothing.
 * @throws what `work` throws, or the error of SQLite; then nothing has changed
 */
export function writeAtOnce<T>(sql: DatabaseSync, work: () => T): T {
  try {
    sql.exec('BEGIN')
    const result = work()
    sql.exec('COMMIT')
    return result
  } catch (error) {
    if (sql.isOpen && sql.isTransaction) sql.exec('ROLLBACK')
    throw error
  }
}
