import { DatabaseSync } from 'node:sqlite'
import { type Address, getAddress } from 'viem'
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
    code   TEXT NOT NULL UNIQUE
  ) STRICT, WITHOUT ROWID`

/**
 * Opens the registry's SQLite database.
 *
 * A registration is on disk before it is answered (write-ahead log, full synchronisation), so a
 * crash at any moment loses none. Several processes may share one file: the primary key decides
 * which of two first registrations wins, and both answer with the winner's code.
 *
 * @param path a file, or ':memory:'
 * @param onOpen gets the connection: for faults of its disk
 */
export function openCodeRegistry(
  path: string,
  rng: Rng,
  onOpen: (database: DatabaseSync) => void = () => {},
): SqliteCodeRegistry {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  database.exec(SCHEMA)
  onOpen(database)
  const insert = database.prepare('INSERT OR IGNORE INTO registration (wallet, code) VALUES (?, ?)')
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
        created = Number(insert.run(key, randomBuilderCode(rng)).changes) === 1
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
