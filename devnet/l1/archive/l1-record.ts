import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { deserialize, serialize } from 'node:v8'
import { createGunzip } from 'node:zlib'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { KeptDatabase } from '#devnet/base/process/kept-database'
import { rowSum } from '#devnet/base/process/row-sum'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { L1BlockJson, WholeL1BlockJson } from './l1-json.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dump (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    state  BLOB NOT NULL,
    sum    INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS mined (
    number    INTEGER PRIMARY KEY,
    hash      TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    raws      BLOB NOT NULL,
    sum       INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS head (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    timestamp INTEGER NOT NULL,
    clock     REAL NOT NULL,
    sum       INTEGER NOT NULL
  ) STRICT;`

/**
 * A new dump is made after so many blocks, or after this part of all blocks if that is more: a dump
 * holds every block, so it gets dearer as L1 grows.
 */
const LEAST_BLOCKS = 256
const PART_OF_ALL = 32
/** Characters of transactions that were sent and not mined yet; the oldest are forgotten beyond it. */
const MAX_WAITING = 64 * 1024 * 1024

/**
 * Calls whose whole effect can be read from the next block: its time and its transactions. A block
 * after any other call cannot be made again from those two.
 */
const REPEATABLE =
  /^eth_|^(evm|anvil|hardhat)_(mine|increaseTime|setNextBlockTimestamp|setTime|dropTransaction|dumpState|nodeInfo|metadata|autoImpersonateAccount|impersonateAccount|stopImpersonatingAccount|snapshot)$/

export interface L1Head {
  /** Of the newest block; seconds. */
  timestamp: number
  /** What the devnet's clock showed when it was mined; milliseconds. */
  clock: number
}

/**
 * On disk, what it takes to bring a new anvil to where the last one was: a dump of its state, and the
 * time and transactions of each block since. anvil makes the same block from the same transactions at
 * the same time. After anything that this cannot repeat, such as a cheat or a transaction without a
 * signature, a new dump is made.
 */
export class L1Record {
  readonly kept: KeptDatabase
  readonly clock: Clock
  readonly #statements
  /** Transactions as they were sent, by hash: anvil does not give blobs back with them. */
  readonly #waiting = new Map<Hash, Hex>()
  #waitingBytes = 0
  #needsDump: boolean
  #sinceDump: number

  /**
   * @param kept the tables are made where they are missing
   * @param clockAfter gives the devnet's clock, set to go on from this head of L1; undefined in a new devnet
   */
  constructor(kept: KeptDatabase, clockAfter: (head: L1Head | undefined) => Clock) {
    kept.define(SCHEMA)
    const prepare = (sql: string) => kept.sql.prepare(sql)
    this.kept = kept
    this.#statements = {
      add: prepare('INSERT INTO mined VALUES (?, ?, ?, ?, ?)'),
      all: prepare('SELECT * FROM mined ORDER BY number'),
      forget: prepare('DELETE FROM mined'),
      dump: prepare('SELECT number, state FROM dump'),
      setDump: prepare('INSERT OR REPLACE INTO dump VALUES (1, ?, ?, ?)'),
      head: prepare('SELECT timestamp, clock FROM head'),
      setHead: prepare('INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?)'),
    }
    this.clock = clockAfter(this.head)
    this.#needsDump = this.#statements.dump.get() === undefined
    this.#sinceDump = this.#statements.all.all().length
  }

  /** Undefined before the first block. */
  get head(): L1Head | undefined {
    return this.#statements.head.get() as unknown as L1Head | undefined
  }

  /** Is told of each call that anvil carried out and that may have changed its state. */
  heard(method: string, params: readonly unknown[], answer: unknown): void {
    if (!REPEATABLE.test(method)) this.#needsDump = true
    if (method !== 'eth_sendRawTransaction') return
    const [hash, raw] = [answer as Hash, params[0] as Hex]
    if (this.#waiting.has(hash)) return
    this.#waiting.set(hash, raw)
    this.#waitingBytes += raw.length
    for (const oldest of this.#waiting.keys()) {
      if (this.#waitingBytes <= MAX_WAITING) return
      this.#forget(oldest)
    }
  }

  /** Writes the next block down, within the archive's database transaction; `added` once that is committed. */
  add({ number, hash, timestamp, transactions }: WholeL1BlockJson): void {
    const raws = transactions.map((each) => this.#waiting.get(each.hash))
    if (raws.includes(undefined)) this.#needsDump = true
    const head = [Number(timestamp), this.clock.now()] as const
    this.#statements.setHead.run(...head, rowSum(1, ...head))
    // A block with a transaction that is not known cannot be made again, nor any after it: `settle` makes a dump.
    if (this.#needsDump) return
    const row = [Number(number), hash, Number(timestamp), serialize(raws)] as const
    this.#statements.add.run(...row, rowSum(...row))
  }

  /** Is told that a block is on disk: what it took to make it again need not wait any longer. */
  added({ transactions }: WholeL1BlockJson): void {
    this.#sinceDump += 1
    for (const { hash } of transactions) this.#forget(hash)
  }

  /** Is told that L1 dropped its newest block. */
  removed(): void {
    this.#needsDump = true
  }

  /**
   * Makes a new dump where the blocks since the last one could not be repeated, or are many.
   * @param newest number of L1's newest block
   * @throws what the dump fails with; the next call tries again
   */
  async settle(anvil: RpcClient, newest: number): Promise<void> {
    const isLong = this.#sinceDump >= Math.max(LEAST_BLOCKS, newest / PART_OF_ALL)
    // anvil does not load a dump of block 0 as it was: the block after it would get another base fee.
    const isNeeded = this.#needsDump
    if (newest === 0 || !(isNeeded || isLong)) return
    this.#needsDump = false
    try {
      const state = hexToBytes((await anvil.request('anvil_dumpState', [])) as Hex)
      this.kept.write(() => {
        this.#statements.setDump.run(newest, state, rowSum(1, newest, state))
        this.#statements.forget.run()
      })
      this.#sinceDump = 0
    } catch (error) {
      this.#needsDump ||= isNeeded
      throw error
    }
  }

  /**
   * Writes the dump as `--load-state` takes it, for its owner alone. Over its socket anvil reads a state
   * in time that grows with the square of its size: some 17 MB after a day of 2 s blocks.
   * @returns whether there is one
   */
  async writeState(path: string): Promise<boolean> {
    const dump = this.#statements.dump.get()
    if (!dump) return false
    const file = createWriteStream(path, { mode: 0o600 })
    await pipeline(Readable.from([dump.state as Uint8Array]), createGunzip(), file)
    return true
  }

  /**
   * Brings an anvil that began with the dump to where the last one was.
   * @returns whether there was a dump
   * @throws RollbedError L1_NOT_REBUILT
   */
  async rebuild(anvil: RpcClient): Promise<boolean> {
    if (!this.#statements.dump.get()) return false
    const loaded = Number(await anvil.request('eth_blockNumber', []))
    for (const { number, hash, timestamp, raws } of this.#statements.all.all()) {
      // Mined while the dump was made, so it is in the dump, too.
      if (Number(number) <= loaded) continue
      for (const raw of deserialize(raws as Uint8Array) as Hex[]) {
        await anvil.request('eth_sendRawTransaction', [raw])
      }
      await anvil.request('evm_mine', [{ timestamp: Number(timestamp) }])
      const block = (await anvil.request('eth_getBlockByNumber', ['latest', false])) as L1BlockJson
      if (block.hash !== hash) throw notRebuilt(Number(number), block.hash, String(hash))
    }
    return true
  }

  #forget(hash: Hash): void {
    this.#waitingBytes -= this.#waiting.get(hash)?.length ?? 0
    this.#waiting.delete(hash)
  }
}

function notRebuilt(number: number, made: string, wanted: string): RollbedError {
  return new RollbedError(
    'L1_NOT_REBUILT',
    `L1 block ${number} had the hash ${wanted}; anvil now makes it with ${made}.`,
    {
      hint: 'The folder was probably written by another version of rollbed or of anvil: use that one, or begin anew in another --state folder.',
    },
  )
}
