import type { KeptDatabase } from '#devnet/base/process/kept-database'
import { rowSum } from '#devnet/base/process/row-sum'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { TrieRoots } from '#protocol/trie/trie-roots'
import type { Hash } from '#protocol/types/bytes'
import { FlatHead } from './flat-head.ts'
import type { RetainingStore } from './retaining-store.ts'
import type { DumpedValue } from './state-dump.ts'
import { type ValueKind, visitReferences } from './visit-references.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS state_value (
    hash  BLOB PRIMARY KEY,
    value BLOB NOT NULL,
    sum   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`

/** Blocks for which a value stays in memory, so that the block it belongs to can be sealed or read. */
const YOUTH = 16
/** Bytes of values read from disk that stay in memory; the oldest go beyond it. */
const MAX_READ = 32 * 1024 * 1024

/**
 * Trie nodes and code. Those of all sealed blocks are on disk, for good. A new value is in memory at
 * first (it is young), and goes to disk when a state that refers to it is kept. A value that no kept
 * state refers to is dropped after some blocks.
 *
 * Nothing can be missing: whoever builds a block writes every node that the parent's state does not
 * have. So whatever a state refers to is young, or went to disk with an earlier state.
 */
export class KeptStore implements RetainingStore {
  readonly roots = new TrieRoots()
  readonly flat = new FlatHead()
  readonly #young = new Map<Hash, { value: Uint8Array; generation: number; isKept: boolean }>()
  /** Hashes of young values by the block (generation) in which they were written, oldest first. */
  readonly #written: Hash[][] = [[]]
  readonly #read = new Map<Hash, Uint8Array>()
  #readBytes = 0
  #generation = 0
  readonly #kept: KeptDatabase
  readonly #select
  readonly #insert

  constructor(kept: KeptDatabase) {
    this.#kept = kept
    kept.define(SCHEMA)
    this.#select = kept.sql.prepare('SELECT value FROM state_value WHERE hash = ?')
    this.#insert = kept.sql.prepare('INSERT OR IGNORE INTO state_value VALUES (?, ?, ?)')
  }

  get(hash: Hash): Uint8Array | undefined {
    return this.#young.get(hash)?.value ?? this.#read.get(hash) ?? this.#readFromDisk(hash)
  }

  put(hash: Hash, value: Uint8Array): void {
    const entry = this.#young.get(hash)
    if (entry?.generation === this.#generation) return
    const generation = this.#generation
    if (entry) entry.generation = generation
    else this.#young.set(hash, { value, generation, isKept: false })
    this.#written.at(-1)!.push(hash)
  }

  /**
   * Writes the values of a state that are not on disk yet. The caller has a database transaction open.
   * @returns to be called once that transaction is committed
   */
  keep(stateRoot: Hash): () => void {
    const kept: { isKept: boolean }[] = []
    const seen = new Set<Hash>()
    const keep = (hash: Hash, kind: ValueKind) => {
      const entry = this.#young.get(hash)
      if (!entry || entry.isKept || seen.has(hash)) return
      seen.add(hash)
      const key = hexToBytes(hash)
      this.#insert.run(key, entry.value, rowSum(key, entry.value))
      kept.push(entry)
      if (kind !== 'code') visitReferences(entry.value, kind, keep)
    }
    keep(stateRoot, 'account node')
    return () => {
      for (const entry of kept) entry.isKept = true
    }
  }

  /** They are on disk at once. */
  admit(values: readonly DumpedValue[]): void {
    this.#kept.write(() => {
      for (const { hash, value } of values) {
        const key = hexToBytes(hash)
        this.#insert.run(key, value, rowSum(key, value))
      }
    })
  }

  /** Is told that a block was sealed: drops values that were written long ago. */
  nextGeneration(): void {
    this.#generation++
    this.#written.push([])
    if (this.#written.length <= YOUTH) return
    for (const hash of this.#written.shift()!) {
      const entry = this.#young.get(hash)
      if (entry && entry.generation <= this.#generation - YOUTH) this.#young.delete(hash)
    }
  }

  /** Nothing to do: states of sealed blocks are never dropped. */
  retain(): void {}

  release(): void {}

  #readFromDisk(hash: Hash): Uint8Array | undefined {
    const row = this.#select.get(hexToBytes(hash))
    if (!row) return undefined
    const value = row.value as Uint8Array
    this.#read.set(hash, value)
    this.#readBytes += value.length
    for (const [oldest, { length }] of this.#read) {
      if (this.#readBytes <= MAX_READ) break
      this.#read.delete(oldest)
      this.#readBytes -= length
    }
    return value
  }
}
