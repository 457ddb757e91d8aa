import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { KeptDatabase } from '#devnet/base/process/kept-database'
import { rowSum } from '#devnet/base/process/row-sum'
import { writeAtOnce } from '#devnet/base/process/write-at-once'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { BlockHistory, StatePatch } from './block-history.ts'
import { blockMemory } from './block-memory.ts'
import { decodeBlockRecord, encodeBlockRecord } from './block-record.ts'
import { UnwrittenBlocks } from './unwritten-blocks.ts'

/** So many of the newest blocks are also in memory: more than one `eth_getLogs` may read. */
const MAX_RECENT = 2_048
/** A shorter history than this is not to be had. */
const LEAST_HISTORY = 256
/** So many of the newest blocks stay in memory however large they are: who follows the tip reads them. */
const MIN_RECENT = 16
/** Older blocks that were read last; and what they take of memory, in bytes. */
const MAX_READ = 64
const MAX_READ_MEMORY = 16 * 1024 * 1024
/** Bytes that the newest blocks in memory take at most. */
const RECENT_MEMORY = 48 * 1024 * 1024
/** Blocks that are written together, where they may be written late: a flashblock waits for that. */
const WRITTEN_TOGETHER = { blocks: 64, transactions: 256 }
/** KiB of SQLite's own cache. */
const PAGE_CACHE = 4_096

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS block (
    number   INTEGER PRIMARY KEY,
    hash     BLOB NOT NULL UNIQUE,
    record   BLOB NOT NULL,
    sum      INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS in_block (
    hash     BLOB NOT NULL,
    number   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    sum      INTEGER NOT NULL,
    PRIMARY KEY (hash, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS with_logs (
    number INTEGER PRIMARY KEY,
    bloom  BLOB NOT NULL,
    sum    INTEGER NOT NULL
  ) STRICT;`

export interface BlockArchiveOptions {
  /** Newest blocks that are in memory at most; at least 256, as many as BLOCKHASH reaches. @default 2048 */
  recentBlocks?: number
  /** Bytes of memory that the newest blocks take at most, but for the last 16. @default 48 MiB */
  recentMemory?: number
  /** Where the blocks outlive the process; it may hold some already. */
  kept?: KeptDatabase
  /** Whether each block is on disk once it is appended, as it always is where blocks outlive the process. */
  writesAtOnce?: boolean
  /**
   * Writes what a block needs beside itself, in the same database transaction. What it returns is called
   * once that is on disk.
   */
  writeWith?(block: Block): () => void
  /** The same, for reads at a block that see another state. */
  writePatch?(patch: StatePatch): () => void
}

/**
 * The canonical sealed blocks with their receipts, for good, in an SQLite database. In memory are only the
 * newest (at most 2,048, fewer when they take more memory than allowed) and some that were read last.
 *
 * By default the file has no name: SQLite has it removed as soon as it is open, so it is gone with
 * the process, however that ends. Then a block is written no earlier than it has to leave memory, and one
 * that is gone by then never: a test goes back to its snapshot after a few.
 */
export class BlockArchive implements BlockHistory {
  readonly database: DatabaseSync
  readonly #kept: KeptDatabase | undefined
  readonly #writeWith: BlockArchiveOptions['writeWith']
  readonly #writePatch: BlockArchiveOptions['writePatch']
  readonly #mostRecent: number
  readonly #recentMemory: number
  readonly #insertBlock
  readonly #insertBloom
  readonly #insertTransaction
  readonly #deleteBlocks
  readonly #deleteBlooms
  readonly #deleteTransaction
  readonly #recordByNumber
  readonly #numberByHash
  readonly #hashByNumber
  readonly #transaction
  readonly #blooms
  readonly #newest
  /** The blocks in memory: up to the newest, without a gap. */
  readonly #recent = new Map<bigint, Block>()
  #recentBytes = 0
  #firstRecent = 0n
  /** Those of them that are not on disk: up to the newest, too. */
  readonly #unwritten = new UnwrittenBlocks()
  readonly #writesAtOnce: boolean
  readonly #read = new Map<bigint, Block>()
  #readBytes = 0

  constructor(options: BlockArchiveOptions = {}) {
    const { kept, writeWith, writePatch, recentBlocks = MAX_RECENT } = options
    const database = kept?.sql ?? unnamedDatabase()
    this.#kept = kept
    this.#writesAtOnce = kept !== undefined || (options.writesAtOnce ?? false)
    this.#mostRecent = Math.min(MAX_RECENT, Math.max(LEAST_HISTORY, recentBlocks))
    this.#recentMemory = options.recentMemory ?? RECENT_MEMORY
    database.exec(`PRAGMA cache_size = -${PAGE_CACHE};`)
    if (kept) kept.define(SCHEMA)
    else database.exec(SCHEMA)
    this.#writeWith = writeWith
    this.#writePatch = writePatch
    this.database = database
    this.#insertBlock = database.prepare('INSERT INTO block VALUES (?, ?, ?, ?)')
    this.#insertBloom = database.prepare('INSERT INTO with_logs VALUES (?, ?, ?)')
    this.#insertTransaction = database.prepare(
      'INSERT OR REPLACE INTO in_block VALUES (?, ?, ?, ?)',
    )
    this.#deleteBlocks = database.prepare('DELETE FROM block WHERE number > ?')
    this.#deleteBlooms = database.prepare('DELETE FROM with_logs WHERE number > ?')
    this.#deleteTransaction = database.prepare('DELETE FROM in_block WHERE hash = ? AND number = ?')
    this.#recordByNumber = database.prepare('SELECT record FROM block WHERE number = ?')
    this.#numberByHash = database.prepare('SELECT number FROM block WHERE hash = ?')
    this.#hashByNumber = database.prepare('SELECT hash FROM block WHERE number = ?')
    this.#transaction = database.prepare(
      'SELECT number, position FROM in_block WHERE hash = ? ORDER BY number DESC LIMIT 1',
    )
    this.#blooms = database.prepare(
      'SELECT number, bloom FROM with_logs WHERE number BETWEEN ? AND ? ORDER BY number',
    )
    this.#newest = database.prepare('SELECT max(number) AS number FROM block')
    const { newest } = this
    if (newest) this.#firstRecent = newest.header.number + 1n
  }

  /** Undefined while it is empty. */
  get newest(): Block | undefined {
    if (this.#unwritten.newest) return this.#unwritten.newest
    const { number } = this.#newest.get() as { number: number | null }
    return number === null ? undefined : this.byNumber(BigInt(number))
  }

  /** The next block of the chain. @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed */
  append(block: Block): void {
    const { number } = block.header
    if (this.#recent.has(number)) throw notWritten(number, new Error('it is there already'))
    if (this.#writesAtOnce) this.#writeBlocks([block])
    else this.#unwritten.add(block)
    if (this.#recent.size === 0) this.#firstRecent = number
    this.#recent.set(number, block)
    this.#recentBytes += blockMemory(block)
    try {
      while (this.#isFull()) this.#letGo()
    } catch (error) {
      this.#forget(block)
      throw error
    }
  }

  /** The oldest block in memory is on disk alone from here on. @throws RollbedError HISTORY_NOT_WRITTEN */
  #letGo(): void {
    const oldest = this.#recent.get(this.#firstRecent)!
    if (this.#unwritten.has(oldest)) {
      const blocks = this.#unwritten.oldest(WRITTEN_TOGETHER)
      this.#writeBlocks(blocks)
      for (const block of blocks) this.#unwritten.remove(block)
    }
    this.#recentBytes -= blockMemory(oldest)
    this.#recent.delete(this.#firstRecent++)
  }

  /** @throws RollbedError HISTORY_NOT_WRITTEN */
  #writeBlocks(blocks: readonly Block[]): void {
    const done: ((() => void) | undefined)[] = []
    this.#write(blocks[0]!.header.number, () => {
      for (const block of blocks) done.push(this.#insert(block))
    })
    for (const written of done) written?.()
  }

  #insert(block: Block): (() => void) | undefined {
    const { number } = block.header
    const insert = (statement: StatementSync, ...row: (bigint | number | Uint8Array)[]) =>
      statement.run(...row, rowSum(...row))
    insert(this.#insertBlock, number, hexToBytes(block.hash), encodeBlockRecord(block))
    if (hasLogs(block)) insert(this.#insertBloom, number, hexToBytes(block.header.logsBloom))
    for (const [position, { hash }] of block.transactions.entries()) {
      insert(this.#insertTransaction, hexToBytes(hash), number, position)
    }
    return this.#writeWith?.(block)
  }

  patch(patch: StatePatch): void {
    if (!this.#writePatch) return
    let written: (() => void) | undefined
    this.#write(patch.block.header.number, () => {
      written = this.#writePatch?.(patch)
    })
    written?.()
  }

  removeAbove(number: bigint, patch?: StatePatch): Block[] {
    const removed: Block[] = []
    for (let at = number + 1n; ; at++) {
      const block = this.byNumber(at)
      if (!block) break
      removed.push(block)
    }
    removed.reverse()
    const onDisk = removed.filter((block) => !this.#unwritten.has(block))
    if (this.#writesAtOnce || onDisk.length > 0) this.#deleteAbove(number, onDisk, patch)
    for (const block of removed) this.#forget(block)
    return removed
  }

  /** @throws RollbedError HISTORY_NOT_WRITTEN */
  #deleteAbove(number: bigint, blocks: readonly Block[], patch: StatePatch | undefined): void {
    let written: (() => void) | undefined
    this.#write(number + 1n, () => {
      this.#deleteBlocks.run(number)
      this.#deleteBlooms.run(number)
      for (const { header, transactions } of blocks) {
        for (const { hash } of transactions) {
          this.#deleteTransaction.run(hexToBytes(hash), header.number)
        }
      }
      written = patch && this.#writePatch?.(patch)
    })
    written?.()
  }

  /** Out of memory. */
  #forget(block: Block): void {
    const { number } = block.header
    this.#unwritten.remove(block)
    if (this.#recent.delete(number)) this.#recentBytes -= blockMemory(block)
    if (this.#read.delete(number)) this.#readBytes -= blockMemory(block)
  }

  /** @throws RollbedError BLOCK_RECORD_DAMAGED */
  byNumber(number: bigint): Block | undefined {
    const known = this.#recent.get(number) ?? this.#read.get(number)
    if (known || !fitsInteger(number)) return known
    const row = this.#recordByNumber.get(number)
    if (!row) return undefined
    const block = decodeBlockRecord(row.record as Uint8Array)
    this.#remember(block)
    return block
  }

  hashOf(number: bigint): Hash | undefined {
    const known = this.#recent.get(number) ?? this.#read.get(number)
    if (known || !fitsInteger(number)) return known?.hash
    const row = this.#hashByNumber.get(number)
    return row && bytesToHex(row.hash as Uint8Array)
  }

  /** Keeps a block that was read, in the place of those that were read before; one in any case. */
  #remember(block: Block): void {
    this.#read.set(block.header.number, block)
    this.#readBytes += blockMemory(block)
    for (const [oldest, known] of this.#read) {
      const isWithin = this.#read.size <= MAX_READ && this.#readBytes <= MAX_READ_MEMORY
      if (isWithin || known === block) break
      this.#read.delete(oldest)
      this.#readBytes -= blockMemory(known)
    }
  }

  byHash(hash: Hash): Block | undefined {
    const unwritten = this.#unwritten.byHash(hash)
    if (unwritten) return unwritten
    const row = this.#numberByHash.get(hexToBytes(hash))
    return row && this.byNumber(BigInt(row.number as number))
  }

  findTransaction(hash: Hash): { block: Block; index: number } | undefined {
    const unwritten = this.#unwritten.findTransaction(hash)
    if (unwritten) return unwritten
    const row = this.#transaction.get(hexToBytes(hash))
    if (!row) return undefined
    const block = this.byNumber(BigInt(row.number as number))!
    return { block, index: row.position as number }
  }

  /** By their blooms alone: no block is read from disk. */
  withLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[] {
    const found: bigint[] = []
    const onDisk = last < this.#firstRecent ? last : this.#firstRecent - 1n
    for (const { number, bloom } of this.#blooms.iterate(first, onDisk)) {
      if (mayHold(bytesToHex(bloom as Uint8Array))) found.push(BigInt(number as number))
    }
    for (let at = first > onDisk ? first : onDisk + 1n; at <= last; at++) {
      const block = this.#recent.get(at)
      if (block && mayHold(block.header.logsBloom)) found.push(at)
    }
    return found
  }

  close(): void {
    if (this.database.isOpen) this.database.close()
  }

  #isFull(): boolean {
    const { size } = this.#recent
    return size > this.#mostRecent || (size > MIN_RECENT && this.#recentBytes > this.#recentMemory)
  }

  /** Writes in a database transaction: all of it or nothing. */
  #write(number: bigint, write: () => void): void {
    try {
      if (this.#kept) this.#kept.write(write)
      else writeAtOnce(this.database, write)
    } catch (cause) {
      throw notWritten(number, cause as Error)
    }
  }
}

function notWritten(number: bigint, cause: Error): RollbedError {
  return new RollbedError(
    'HISTORY_NOT_WRITTEN',
    `Block ${number} could not be written to disk: ${cause.message}.`,
    {
      cause,
      hint: 'Make room where --state keeps it, without --state where TMPDIR says: it is tried again.',
    },
  )
}

function hasLogs({ receipts }: Block): boolean {
  return receipts.some(({ logs }) => logs.length > 0)
}

/** SQLite has signed 64-bit integers. */
function fitsInteger(number: bigint): boolean {
  return number >= 0n && number < 1n << 63n
}

function unnamedDatabase(): DatabaseSync {
  const database = new DatabaseSync('')
  // Nobody opens this file again: nothing is won by waiting for the disk.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;')
  return database
}
