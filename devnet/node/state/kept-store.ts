import type { DatabaseSync } from 'node:sqlite'
import { hexToBytes } from '../../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
import { TrieRoots } from '../../../enclave-sim/protocol/trie/trie-roots.ts'
import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import { FlatHead } from './flat-head.ts'
import type { RetainingStore } from './retaining-store.ts'
import { type ValueKind, visitReferences } from './visit-references.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS state_value (
    hash  BLOB PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;`

/** Generations that what is written waits for its block to be sealed, or its flashblock to be read. */
const YOUTH = 16
/** Of values read from disk; bytes. */
const MAX_READ = 32 * 1024 * 1024

/**
 * Trie nodes and code on disk, those of all sealed blocks for good. What is written stays in memory
 * until a state that has it is kept; what no kept state has goes after some blocks.
 *
 * Whoever builds a block writes all its nodes that its parent's state has not: what a state to be kept
 * refers to is among the young, or on disk with another state.
 */
export class KeptStore implements RetainingStore {
  readonly roots = new TrieRoots()
  readonly flat = new FlatHead()
  readonly #young = new Map<Hash, { value: Uint8Array; generation: number; isKept: boolean }>()
  /** Hashes by the generation in which they were written, oldest first. */
  readonly #written: Hash[][] = [[]]
  readonly #read = new Map<Hash, Uint8Array>()
  #readBytes = 0
  #generation = 0
  readonly #select
  readonly #insert

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA)
    this.#select = database.prepare('SELECT value FROM state_value WHERE hash = ?')
    this.#insert = database.prepare('INSERT OR IGNORE INTO state_value VALUES (?, ?)')
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
   * Writes what a state has and the disk has not, within the database transaction of the caller, who
   * calls what this returns once it is committed.
   */
  keep(stateRoot: Hash): () => void {
    const kept: { isKept: boolean }[] = []
    const seen = new Set<Hash>()
    const keep = (hash: Hash, kind: ValueKind) => {
      const entry = this.#young.get(hash)
      if (!entry || entry.isKept || seen.has(hash)) return
      seen.add(hash)
      this.#insert.run(hexToBytes(hash), entry.value)
      kept.push(entry)
      if (kind !== 'code') visitReferences(entry.value, kind, keep)
    }
    keep(stateRoot, 'account node')
    return () => {
      for (const entry of kept) entry.isKept = true
    }
  }

  /** A block was sealed: drops what was written long ago. */
  nextGeneration(): void {
    this.#generation++
    this.#written.push([])
    if (this.#written.length <= YOUTH) return
    for (const hash of this.#written.shift()!) {
      const entry = this.#young.get(hash)
      if (entry && entry.generation <= this.#generation - YOUTH) this.#young.delete(hash)
    }
  }

  /** All states of sealed blocks stay in any case. */
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
