import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { ForkError } from './fork-error.ts'

/** Grows when what is in the file changes so that older ones cannot be read. */
const VERSION = 1
/** Milliseconds to wait for another process that writes into the same file. */
const BUSY = 5_000
/** Pages of 4 KiB: 2 GiB of file. */
const MAX_PAGES = 524_288
/** Bytes of values held in memory beside the file. */
const MAX_RECENT = 32 * 1024 * 1024

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS value (key BLOB PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS answer (question TEXT PRIMARY KEY, answer TEXT NOT NULL) STRICT;`

/**
 * What was read of one block of a remote chain, in one file. Values of the state never change, so the
 * file only grows, up to 2 GiB; several devnets may use it at once.
 */
export class ForkCache {
  readonly #database: DatabaseSync
  readonly #select
  readonly #insert
  readonly #selectAnswer
  readonly #insertAnswer
  readonly #recent = new Map<Hex, Uint8Array>()
  #recentBytes = 0

  /** @param path '' for a file without a name, gone with the process. @throws ForkError FORK_CACHE_UNUSABLE */
  constructor(path: string) {
    this.#database = open(path)
    const prepare = (sql: string) => this.#database.prepare(sql)
    this.#select = prepare('SELECT value FROM value WHERE key = ?')
    this.#insert = prepare('INSERT OR IGNORE INTO value VALUES (?, ?)')
    this.#selectAnswer = prepare('SELECT answer FROM answer WHERE question = ?')
    this.#insertAnswer = prepare('INSERT OR IGNORE INTO answer VALUES (?, ?)')
  }

  get(key: Hex): Uint8Array | undefined {
    const recent = this.#recent.get(key)
    if (recent) return recent
    const row = this.#select.get(hexToBytes(key))
    if (!row) return undefined
    const value = row.value as Uint8Array
    this.#remember(key, value)
    return value
  }

  /** All or nothing. @throws ForkError FORK_CACHE_FULL */
  put(values: readonly (readonly [Hex, Uint8Array])[]): void {
    this.#write(() => {
      for (const [key, value] of values) this.#insert.run(hexToBytes(key), value)
    })
    for (const [key, value] of values) this.#remember(key, value)
  }

  /** What the remote answered to a question once, as JSON says it. */
  answer(question: string): { value: unknown } | undefined {
    const row = this.#selectAnswer.get(question)
    return row && { value: JSON.parse(row.answer as string) as unknown }
  }

  /** @throws ForkError FORK_CACHE_FULL */
  putAnswer(question: string, value: unknown): void {
    this.#write(() => this.#insertAnswer.run(question, JSON.stringify(value)))
  }

  /** Forgets everything: it was of another chain. */
  clear(): void {
    this.#write(() => this.#database.exec('DELETE FROM value; DELETE FROM answer;'))
    this.#recent.clear()
    this.#recentBytes = 0
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #remember(key: Hex, value: Uint8Array): void {
    if (this.#recent.has(key)) return
    this.#recent.set(key, value)
    this.#recentBytes += key.length + value.length
    for (const [oldest, { length }] of this.#recent) {
      if (this.#recentBytes <= MAX_RECENT) break
      this.#recent.delete(oldest)
      this.#recentBytes -= oldest.length + length
    }
  }

  #write(write: () => void): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      write()
      this.#database.exec('COMMIT')
    } catch (cause) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw new ForkError('FORK_CACHE_FULL', 'What was read of the forked chain cannot be kept.', {
        hint: 'Is there room on the disk? One block may take 2 GiB; another --fork-cache folder begins anew.',
        cause,
      })
    }
  }
}

/** The cache's file for a block; the URL may hold a key and stands in it as a hash only. */
export function cacheFile(folder: string, url: string, block: bigint): string {
  return join(folder, `${digestOf(url)}-${block}.sqlite`)
}

/** Blocks of which the folder has something, oldest first. */
export function cachedBlocks(folder: string, url: string): bigint[] {
  const name = new RegExp(`^${digestOf(url)}-(\\d+)\\.sqlite$`)
  try {
    return readdirSync(folder)
      .flatMap((file) => name.exec(file)?.[1] ?? [])
      .map(BigInt)
      .sort((a, b) => (a < b ? -1 : 1))
  } catch {
    return []
  }
}

function digestOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 16)
}

function open(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (path !== '') mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    database = new DatabaseSync(path, { timeout: BUSY })
    // What a crash loses is asked again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    database.exec(`PRAGMA max_page_count = ${MAX_PAGES}`)
    const found = Number(database.prepare('PRAGMA user_version').get()!.user_version)
    if (found !== 0 && found !== VERSION) {
      database.close()
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
      return open(path)
    }
    database.exec(`PRAGMA user_version = ${VERSION}; ${SCHEMA}`)
    return database
  } catch (cause) {
    if (database?.isOpen) database.close()
    if (cause instanceof ForkError) throw cause
    throw new ForkError(
      'FORK_CACHE_UNUSABLE',
      `${path} cannot be used: ${(cause as Error).message}.`,
      { hint: 'Remove the file, or name another folder by --fork-cache.', cause },
    )
  }
}
