import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { addRowSums, rowSum } from './row-sum.ts'
import { keepSchemaSum } from './schema-sum.ts'
import { keepTotals } from './table-totals.ts'
import { writeAtOnce } from './write-at-once.ts'

/** Counted up when an earlier rollbed could not keep the file as it is. */
export const KEPT_VERSION = 3
/** Its tables are not counted yet. */
export const UNCOUNTED_VERSION = 2

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS belongs (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    devnet   TEXT NOT NULL,
    settings TEXT NOT NULL,
    sum      INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS written (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    run    TEXT NOT NULL,
    writes INTEGER NOT NULL,
    sum    INTEGER NOT NULL
  ) STRICT;`

/** To which devnet a kept file belongs. */
export interface Belongs {
  /** Drawn once; the same in all files of a devnet. */
  devnet: string
  /** What that devnet began with, as JSON; '' until it was begun. */
  settings: string
}

/** How far a kept file was written. */
export interface Written {
  /** Drawn at each start of the devnet; the same in all its files. */
  run: string
  /** Transactions since the file was made. */
  writes: number
}

/**
 * An SQLite file that outlives the process. What was committed is there after a crash or a loss of power
 * at any moment (write-ahead log, full synchronisation). Each commit is counted, so that whoever
 * remembers the count notices when some are missing.
 */
export class KeptDatabase {
  readonly path: string
  readonly sql: DatabaseSync
  /** Is told after each commit how many there are now. */
  readonly #onWrite: (writes: number) => void
  readonly #setWritten
  #written: Written

  /**
   * A new file is for its owner alone. One of an earlier version gets what it lacks.
   * @throws the error of SQLite; RollbedError by `checkKeptFile`, which is to look at the file before
   */
  constructor(path: string, onWrite: (writes: number) => void = () => {}) {
    closeSync(openSync(path, 'a', 0o600))
    this.path = path
    this.#onWrite = onWrite
    this.sql = new DatabaseSync(path)
    this.sql.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON;',
    )
    const { user_version: version } = this.sql.prepare('PRAGMA user_version').get()!
    if (version !== KEPT_VERSION) this.#makeUp(version !== UNCOUNTED_VERSION)
    this.#setWritten = this.sql.prepare('INSERT OR REPLACE INTO written VALUES (1, ?, ?, ?)')
    const { run, writes } = this.sql.prepare('SELECT run, writes FROM written').get()!
    this.#written = { run: run as string, writes: writes as number }
  }

  /** How many commits there were. */
  get writes(): number {
    return this.#written.writes
  }

  /**
   * Writes in one transaction: all of it is on disk when this returns, or nothing.
   * @throws what `work` throws, or the error of SQLite; then nothing has changed
   */
  write<T>(work: () => T, run = this.#written.run): T {
    const writes = this.#written.writes + 1
    const result = writeAtOnce(this.sql, () => {
      const result = work()
      this.#setWritten.run(run, writes, rowSum(1, run, writes))
      return result
    })
    this.#written = { run, writes }
    this.#onWrite(writes)
    return result
  }

  /** Has this table made, where it is missing, and counted from here on. */
  define(schema: string): void {
    writeAtOnce(this.sql, () => {
      this.sql.exec(schema)
      keepTotals(this.sql)
      keepSchemaSum(this.sql)
    })
  }

  /** From here on the file is of this devnet, in this run of it. */
  join({ devnet, settings }: Belongs, run: string): void {
    const set = this.sql.prepare('INSERT OR REPLACE INTO belongs VALUES (1, ?, ?, ?)')
    this.write(() => set.run(devnet, settings, rowSum(1, devnet, settings)), run)
  }

  close(): void {
    if (this.sql.isOpen) this.sql.close()
  }

  /** All at once, so a file that has tables has these. */
  #makeUp(isOld: boolean): void {
    const { sql } = this
    writeAtOnce(sql, () => {
      if (isOld) {
        sql.exec(SCHEMA)
        sql.prepare('INSERT INTO belongs VALUES (1, ?, ?, ?)').run('', '', rowSum(1, '', ''))
        sql.prepare('INSERT INTO written VALUES (1, ?, ?, ?)').run('', 0, rowSum(1, '', 0))
        addRowSums(sql)
      }
      keepTotals(sql)
      keepSchemaSum(sql)
      sql.exec(`PRAGMA user_version = ${KEPT_VERSION}`)
    })
  }
}
