import { DatabaseSync } from 'node:sqlite'
import { type Address, getAddress } from 'viem'
import type { KeptDatabase } from '#devnet/base/process/kept-database'
import { damaged, sqliteError } from '#devnet/base/process/kept-errors'
import { addRowSums, findTornRow, rowSum } from '#devnet/base/process/row-sum'
import type { Rng } from '#protocol/random/rng'
import { type BuilderCode, randomBuilderCode } from './builder-code.ts'

export interface Registration {
  builderCode: BuilderCode
  /** EIP-55 form (OPEN-42). */
  walletAddress: Address
  /** True when this call made the code. */
  created: boolean
}

/** The wallet-to-code mapping, which never changes once made (BC-12). */
export interface CodeRegistry {
  /** Idempotent (BC-10, BC-11); all letter cases of an address are one wallet. */
  register(wallet: Address): Registration | Promise<Registration>
  /** The wallet behind a code, for crediting a suffix (ATTR-05). */
  walletOf(code: string): Address | undefined
  close(): void | Promise<void>
}

/** One that answers at once. */
export interface SqliteCodeRegistry extends CodeRegistry {
  register(wallet: Address): Registration
  close(): void
}

/** Milliseconds to wait for another process; from the start, for both may open the file at once. */
const BUSY_TIMEOUT = 5_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS registration (
    wallet TEXT PRIMARY KEY CHECK (length(wallet) = 42),
    code   TEXT NOT NULL UNIQUE,
    sum    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`

/**
 * Opens the registry's SQLite database.
 *
 * A registration is on disk before it is answered (write-ahead log, full synchronisation), so a
 * crash at any moment loses none. Several processes may share one file: the primary key decides
 * which of two first registrations wins, and both answer with the winner's code.
 *
 * @param where a file, ':memory:', or one that is open
 * @param onOpen gets the connection: for faults of its disk
 * @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE
 */
export function openCodeRegistry(
  where: string | KeptDatabase,
  rng: Rng,
  onOpen: (database: DatabaseSync) => void = () => {},
): SqliteCodeRegistry {
  if (typeof where !== 'string') {
    where.define(SCHEMA)
    onOpen(where.sql)
    return registryIn(where.sql, rng, where)
  }
  const database = new DatabaseSync(where, { timeout: BUSY_TIMEOUT })
  try {
    prepareShared(database, where)
    onOpen(database)
    return registryIn(database, rng)
  } catch (error) {
    database.close()
    throw sqliteError(where, error, ELSEWHERE)
  }
}

function registryIn(database: DatabaseSync, rng: Rng, kept?: KeptDatabase): SqliteCodeRegistry {
  const insert = database.prepare('INSERT OR IGNORE INTO registration VALUES (?, ?, ?)')
  const add = (wallet: string, code: BuilderCode) => {
    const run = () => Number(insert.run(wallet, code, rowSum(wallet, code)).changes) === 1
    return kept ? kept.write(run) : run()
  }
  const byWallet = database.prepare('SELECT code FROM registration WHERE wallet = ?')
  const byCode = database.prepare('SELECT wallet FROM registration WHERE code = ?')

  const codeOf = (wallet: string) => byWallet.get(wallet)?.code as BuilderCode | undefined

  return {
    register(wallet) {
      const key = wallet.toLowerCase()
      let created = false
      let builderCode = codeOf(key)
      // OR IGNORE also covers a code that is taken: then no row appears and another code is drawn.
      while (!builderCode) {
        created = add(key, randomBuilderCode(rng))
        builderCode = codeOf(key)
      }
      return { builderCode, walletAddress: getAddress(key), created }
    },
    walletOf(code) {
      const wallet = byCode.get(code)?.wallet as string | undefined
      return wallet === undefined ? undefined : getAddress(wallet)
    },
    close: () => database.close(),
  }
}

/** Several processes may open it. One of an earlier version gets checksums. */
function prepareShared(database: DatabaseSync, path: string): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
  database.exec(SCHEMA)
  addRowSums(database)
  database.exec('COMMIT')
  const row = findTornRow(database)
  if (row) throw damaged(path, `the checksum of ${row} does not fit`, { hint: ELSEWHERE })
}

const ELSEWHERE = 'Put it back from a copy, or name another file by --builder-code-db.'
