import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { rowSum } from '#devnet/base/process/row-sum'
import { writeAtOnce } from '#devnet/base/process/write-at-once'
import type { Hash } from '#protocol/types/bytes'
import type { L1LogJson, L1ReceiptJson, WholeL1BlockJson } from './l1-json.ts'
import type { L1Record } from './l1-record.ts'

const GIBIBYTE = 1024 ** 3
/** What a row costs beside its bodies, about; bytes. */
const ROW_BYTES = 256

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS block (
    number INTEGER PRIMARY KEY,
    hash   TEXT NOT NULL UNIQUE,
    bytes  INTEGER NOT NULL,
    block  BLOB,
    receipts BLOB,
    logs   BLOB,
    sum    INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS transaction_place (
    hash     TEXT PRIMARY KEY,
    number   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    sum      INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS place_by_number ON transaction_place (number);`

/** A block as L1 gave it: with whole transactions, and with their receipts. */
export interface ArchivedBlock {
  block: WholeL1BlockJson
  receipts: L1ReceiptJson[]
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
const pack = async (value: unknown) => await deflate(JSON.stringify(value), { level: 1 })
const unpack = async <T>(bytes: unknown): Promise<T> =>
  JSON.parse(String(await inflate(bytes as Uint8Array)))

export interface L1ArchiveOptions {
  /** The oldest blocks go beyond it; 2 GiB by default. */
  maxBytes?: number
  /** Where it lies; by default in a file without a name, which is gone with the process however that ends. */
  record?: L1Record | undefined
}

/**
 * What blocks of L1 hold, for when anvil has forgotten it: on disk, in an SQLite file. Of blocks without
 * transactions only the hash.
 */
export class L1Archive {
  readonly #database: DatabaseSync
  readonly #record: L1Record | undefined
  readonly #maxBytes: number
  readonly #statements
  #bytes: number
  #lowest: number | undefined

  constructor({ maxBytes = 2 * GIBIBYTE, record }: L1ArchiveOptions = {}) {
    this.#maxBytes = maxBytes
    this.#record = record
    this.#database = record?.kept.sql ?? unnamedDatabase()
    if (record) record.kept.define(SCHEMA)
    else this.#database.exec(SCHEMA)
    const prepare = (sql: string) => this.#database.prepare(sql)
    this.#statements = {
      insertBlock: prepare('INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?)'),
      insertPlace: prepare('INSERT OR REPLACE INTO transaction_place VALUES (?, ?, ?, ?)'),
      hashAt: prepare('SELECT hash FROM block WHERE number = ?'),
      byHash: prepare('SELECT block, receipts FROM block WHERE hash = ?'),
      place: prepare('SELECT number, position FROM transaction_place WHERE hash = ?'),
      logs: prepare(
        'SELECT logs FROM block WHERE number BETWEEN ? AND ? AND logs IS NOT NULL ORDER BY number',
      ),
      oldest: prepare('SELECT number, bytes FROM block ORDER BY number LIMIT 1'),
      newest: prepare('SELECT max(number) AS number FROM block'),
      size: prepare('SELECT bytes FROM block WHERE number = ?'),
      forget: prepare('DELETE FROM block WHERE number = ?'),
      forgetPlaces: prepare('DELETE FROM transaction_place WHERE number = ?'),
    }
    const sum = 'SELECT coalesce(sum(bytes), 0) AS bytes, min(number) AS lowest FROM block'
    const { bytes, lowest } = this.#database.prepare(sum).get()!
    this.#bytes = Number(bytes)
    this.#lowest = (lowest as number | null) ?? undefined
  }

  /** Number of the newest block. */
  get newest(): number | undefined {
    return (this.#statements.newest.get()?.number as number | null) ?? undefined
  }

  /** Number of the oldest block that is still here. */
  get lowest(): number | undefined {
    return this.#lowest
  }

  hashAt(number: number): Hash | undefined {
    return this.#statements.hashAt.get(number)?.hash as Hash | undefined
  }

  /** The block after the newest one. */
  async append({ block, receipts }: ArchivedBlock): Promise<void> {
    const number = Number(block.number)
    const isEmpty = block.transactions.length === 0
    const logs = receipts.flatMap((receipt) => receipt.logs)
    const bodies = isEmpty
      ? [null, null, null]
      : [await pack(block), await pack(receipts), logs.length ? await pack(logs) : null]
    const bytes = bodies.reduce((sum, body) => sum + (body?.length ?? 0), ROW_BYTES)
    const [body, packedReceipts, packedLogs] = bodies as [Buffer, Buffer, Buffer | null]
    this.#atOnce(() => {
      const row = [number, block.hash, bytes, body, packedReceipts, packedLogs] as const
      this.#statements.insertBlock.run(...row, rowSum(...row))
      for (const [position, { hash }] of block.transactions.entries()) {
        this.#statements.insertPlace.run(hash, number, position, rowSum(hash, number, position))
      }
      this.#record?.add(block)
    })
    this.#record?.added(block)
    this.#bytes += bytes
    this.#lowest ??= number
    while (this.#bytes > this.#maxBytes && this.#lowest < number) this.#remove(this.#lowest)
  }

  /** Takes the newest block out: L1 dropped it. */
  removeNewest(): void {
    const { newest } = this
    if (newest === undefined) return
    this.#record?.removed()
    this.#remove(newest)
  }

  /** Undefined for a block that is not in the archive or had no transactions. */
  async block(hash: Hash): Promise<ArchivedBlock | undefined> {
    const row = this.#statements.byHash.get(hash)
    if (!row?.block) return undefined
    return { block: await unpack(row.block), receipts: await unpack(row.receipts) }
  }

  /** In which block a transaction stands, and where in it. */
  place(transaction: Hash): { number: number; position: number } | undefined {
    return this.#statements.place.get(transaction) as ReturnType<L1Archive['place']>
  }

  /** The logs of a range of blocks, in order. */
  async *logs(from: number, to: number): AsyncGenerator<L1LogJson[]> {
    for (const row of this.#statements.logs.all(from, to)) yield await unpack(row.logs)
  }

  close(): void {
    this.#database.close()
  }

  #remove(number: number): void {
    const bytes = Number(this.#statements.size.get(number)?.bytes ?? 0)
    this.#atOnce(() => {
      this.#statements.forget.run(number)
      this.#statements.forgetPlaces.run(number)
    })
    this.#bytes -= bytes
    if (number === this.#lowest) {
      this.#lowest = this.#statements.oldest.get()?.number as number | undefined
    }
  }

  #atOnce(write: () => void): void {
    if (this.#record) this.#record.kept.write(write)
    else writeAtOnce(this.#database, write)
  }
}

function unnamedDatabase(): DatabaseSync {
  const database = new DatabaseSync('')
  // Nobody opens this file again: nothing is won by waiting for the disk.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
  return database
}
