import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

type Cell = null | number | bigint | string | Uint8Array

/**
 * Checksum of a row: CRC-32 over its cells in the order of their columns. Each cell says its kind, and
 * text and bytes their length, so that no two rows are the same text. A table of a kept file has it in
 * a last column `sum`.
 * @example
 * insert.run(number, hash, rowSum(number, hash))
 */
export function rowSum(...cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => {
    if (cell instanceof Uint8Array) return crc32(cell, crc32(`b${cell.length}:`, sum))
    return crc32(typeof cell === 'string' ? `t${cell.length}:${cell};` : `n${cell};`, sum)
  }, 0)
}

/** Of the table in which the others are counted: it is held against them, so its rows need no checksum. */
export const TOTALS = 'total'

/** A table whose rows have a checksum, or are to get one. */
interface SummedTable {
  name: string
  columns: string[]
  isSummed: boolean
}

/**
 * The first row that is not what was written, as `table key`; undefined where all are.
 * @throws the error of SQLite where the file cannot be read
 */
export function findTornRow(sql: DatabaseSync): string | undefined {
  defineRowSum(sql)
  for (const { name, columns, isSummed } of tablesOf(sql)) {
    if (!isSummed) continue
    const [key] = columns
    const wrong = `SELECT ${key} AS key FROM ${name} WHERE sum IS NOT row_sum(${columns.join()}) LIMIT 1`
    const row = sql.prepare(wrong).get()
    if (row) return `${name} ${textOf(row.key as Cell)}`
  }
  return undefined
}

/** Gives the rows of every table that has no checksums yet theirs. */
export function addRowSums(sql: DatabaseSync): void {
  defineRowSum(sql)
  for (const { name, columns, isSummed } of tablesOf(sql)) {
    if (isSummed) continue
    sql.exec(`ALTER TABLE ${name} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
      UPDATE ${name} SET sum = row_sum(${columns.join()})`)
  }
}

/** The names of the tables whose rows have checksums. */
export function summedTables(sql: DatabaseSync): string[] {
  return tablesOf(sql).flatMap(({ name, isSummed }) => (isSummed ? [name] : []))
}

function tablesOf(sql: DatabaseSync): SummedTable[] {
  const tables = sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> ?")
    .all(TOTALS)
  return tables.map(({ name }) => {
    const all = sql.prepare(`SELECT name FROM pragma_table_info('${name}')`).all()
    const columns = all.map((column) => String(column.name))
    return {
      name: String(name),
      columns: columns.filter((column) => column !== 'sum'),
      isSummed: columns.includes('sum'),
    }
  })
}

function defineRowSum(sql: DatabaseSync): void {
  const options = { deterministic: true, varargs: true, useBigIntArguments: true }
  sql.function('row_sum', options, (...cells) => rowSum(...(cells as Cell[])))
}

function textOf(key: Cell): string {
  return key instanceof Uint8Array ? `0x${Buffer.from(key).toString('hex')}` : String(key)
}
