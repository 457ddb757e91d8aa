import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Belongs, KEPT_VERSION, UNCOUNTED_VERSION, type Written } from './kept-database.ts'
import { damaged, sqliteError, unreadable } from './kept-errors.ts'
import { findTornRow } from './row-sum.ts'
import { hasKeptSchema } from './schema-sum.ts'
import { findShortTable } from './table-totals.ts'

/** What a kept file says of itself, once every row in it was found to be what was written. */
export interface KeptFacts extends Belongs, Written {
  /** An earlier version knows nothing of the rest. */
  isOld: boolean
}

/**
 * Reads a kept file whole, and changes nothing in it: its structure, its indices, what its tables are, the checksum of
 * each row and the count of each table. This takes about a second of CPU for each hundred megabytes.
 * @returns undefined where there is no such file, or nothing in it
 * @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE
 */
export function checkKeptFile(path: string): KeptFacts | undefined {
  if (!isThere(path)) return undefined
  let sql: DatabaseSync | undefined
  try {
    sql = new DatabaseSync(path, { readOnly: true })
    return check(sql, path)
  } catch (error) {
    throw sqliteError(path, error)
  } finally {
    sql?.close()
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path).size > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw unreadable(path, (error as Error).message, error)
  }
}

function check(sql: DatabaseSync, path: string): KeptFacts | undefined {
  const [first] = sql.prepare('PRAGMA integrity_check(1)').all()
  const found = String(first?.integrity_check)
  if (found !== 'ok') throw damaged(path, found.replaceAll(/\s+/g, ' ').trim())
  const { tables } = sql.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()!
  if (tables === 0) return undefined
  const { version } = sql.prepare('SELECT user_version AS version FROM pragma_user_version').get()!
  // Builder codes had no version at first.
  if (version === 0 || version === 1) return OLD
  if (version !== KEPT_VERSION && version !== UNCOUNTED_VERSION)
    throw unreadable(path, `it has version ${version}, not ${KEPT_VERSION}`)
  if (!hasKeptSchema(sql)) throw damaged(path, 'its tables are not what they were made as')
  const row = findTornRow(sql)
  if (row) throw damaged(path, `the checksum of ${row} does not fit`)
  const table = findShortTable(sql)
  if (table) throw damaged(path, `${table} is not as it was when it was last written`)
  const belongs = sql.prepare('SELECT devnet, settings FROM belongs').get()
  const written = sql.prepare('SELECT run, writes FROM written').get()
  if (!belongs || !written) throw damaged(path, 'it does not say to which devnet it belongs')
  return { ...belongs, ...written, isOld: false } as unknown as KeptFacts
}

const OLD: KeptFacts = { isOld: true, devnet: '', settings: '', run: '', writes: 0 }
