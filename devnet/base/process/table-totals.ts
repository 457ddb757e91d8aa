import type { DatabaseSync } from 'node:sqlite'
import { summedTables, TOTALS } from './row-sum.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TOTALS} (
    name TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    sums INTEGER NOT NULL
  ) STRICT`

/**
 * Has SQLite count the rows of each table from here on, and add up their checksums, with each commit. A row's own
 * checksum tells that it was written so, not that it is the last that was: where a disk lost the write of a whole
 * page, each row of the old one still fits.
 *
 * @param sql with a transaction open, and with recursive triggers, so that a row which is replaced is taken off
 */
export function keepTotals(sql: DatabaseSync): void {
  sql.exec(SCHEMA)
  const known = new Set(
    sql
      .prepare(`SELECT name FROM ${TOTALS}`)
      .all()
      .map(({ name }) => name),
  )
  for (const name of summedTables(sql)) {
    if (known.has(name)) continue
    const change = (when: string, what: string) =>
      `CREATE TRIGGER ${name}_${when} AFTER ${when} ON ${name} BEGIN
        UPDATE ${TOTALS} SET ${what} WHERE name = '${name}'; END;`
    sql.exec(
      `INSERT INTO ${TOTALS} SELECT '${name}', ${SUMS} FROM ${name};
      ${change('insert', 'rows = rows + 1, sums = sums + NEW.sum')}
      ${change('delete', 'rows = rows - 1, sums = sums - OLD.sum')}
      ${change('update', 'sums = sums + NEW.sum - OLD.sum')}`,
    )
  }
}

const SUMS = 'count(*), coalesce(sum(sum), 0)'

/** A table that is not as the last commit left it; undefined: none, or nobody kept count. */
export function findShortTable(sql: DatabaseSync): string | undefined {
  const all = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const tables = new Set(all.map(({ name }) => String(name)))
  if (!tables.has(TOTALS)) return undefined
  const kept = sql.prepare(`SELECT name FROM ${TOTALS}`).all()
  return kept
    .map(({ name }) => String(name))
    .find((name) => {
      if (!tables.has(name)) return true
      const same = `SELECT (rows, sums) = (SELECT ${SUMS} FROM ${name}) AS same FROM ${TOTALS} WHERE name = ?`
      return sql.prepare(same).get(name)?.same !== 1
    })
}
