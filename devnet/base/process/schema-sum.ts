import type { DatabaseSync } from 'node:sqlite'
import { rowSum } from './row-sum.ts'

/**
 * Keeps the checksum of what the tables, their indices and their triggers are. SQLite believes a text of them that can
 * be read, and one bit makes of a trigger that counts rows one that nothing can be written with.
 *
 * @param sql with a transaction open
 */
export function keepSchemaSum(sql: DatabaseSync): void {
  const sum = schemaSum(sql)
  if (keptSum(sql) !== sum) sql.exec(`PRAGMA application_id = ${sum}`)
}

/** Whether they are what they were when they were last made; true where nobody kept their checksum. */
export function hasKeptSchema(sql: DatabaseSync): boolean {
  const kept = keptSum(sql)
  return kept === 0 || kept === schemaSum(sql)
}

/** In the header of the file, where an earlier version does not look: 31 bits, and 0 says that there is none. */
function keptSum(sql: DatabaseSync): number {
  return Number(sql.prepare('PRAGMA application_id').get()!.application_id)
}

function schemaSum(sql: DatabaseSync): number {
  const entries = sql
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
  return rowSum(...entries.flatMap((entry) => Object.values(entry))) >>> 1 || 1
}
