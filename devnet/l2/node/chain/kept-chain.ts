import type { KeptDatabase } from '#devnet/base/process/kept-database'
import { rowSum } from '#devnet/base/process/row-sum'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import type { ChainView, Divergence } from '../chain-view.ts'
import { KeptStore } from '../state/kept-store.ts'
import { collectState } from '../state/state-dump.ts'
import { BlockArchive } from './block-archive.ts'
import type { StatePatch } from './block-history.ts'
import type { ChainHeads, CheatedChain } from './chain.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS mark (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    sum   INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS patched_state (
    block      TEXT PRIMARY KEY,
    number     INTEGER NOT NULL,
    state_root TEXT NOT NULL,
    sum        INTEGER NOT NULL
  ) STRICT;`

/** Writes within a database transaction; what it returns is called once that is committed. */
type Write = () => () => void

/**
 * A chain that outlives the process: its sealed blocks with their states, where it is final, and what
 * cheats did to it, in one SQLite file. A block is on disk, with all of its state, before anybody can
 * see that it is sealed.
 */
export class KeptChain {
  readonly blocks: BlockArchive
  readonly store: KeptStore
  readonly #kept: KeptDatabase
  /** What happened while nothing could be written, by what it is about: it goes with the next block. */
  readonly #owed = new Map<string, Write>()
  #finalized: Hash | undefined

  /**
   * @param kept may hold a chain already
   * @param recentMemory bytes of memory that its newest blocks take at most; default: as BlockArchive's
   */
  constructor(kept: KeptDatabase, recentMemory?: number) {
    this.#kept = kept
    kept.define(SCHEMA)
    const store = new KeptStore(kept)
    this.store = store
    this.blocks = new BlockArchive({
      kept,
      ...(recentMemory !== undefined && { recentMemory }),
      writeWith: ({ header }) => this.#writeOwed(() => store.keep(header.stateRoot)),
      writePatch: (patch) => this.#writePatch(patch),
    })
  }

  /** The heads at which it stopped. `safe` begins again at `finalized`, from where L1 is read. */
  get heads(): ChainHeads | undefined {
    const latest = this.blocks.newest
    if (!latest) return undefined
    const finalized = this.#finalizedBlock(latest)
    return { latest, safe: finalized, finalized }
  }

  get cheated(): CheatedChain {
    const latest = this.blocks.newest?.header.number ?? 0n
    const [since, cause] = JSON.parse(this.mark('divergence') ?? '[]')
    // It is written before the block that begins it: that one may never have been sealed.
    const isThere = cause !== undefined && BigInt(since) <= latest
    const rows = this.#kept.sql.prepare('SELECT block, state_root FROM patched_state').all()
    const patches = rows.flatMap((row) => {
      const block = this.blocks.byHash(row.block as Hash)
      return block ? [{ block, stateRoot: row.state_root as Hash }] : []
    })
    return { divergence: isThere ? { since: BigInt(since), cause } : undefined, patches }
  }

  /** The first block, whose state is in `source`. */
  begin(genesis: Block, chainId: bigint, source: StateSource): ChainHeads {
    const { values } = collectState(source, chainId, genesis.header.stateRoot)
    for (const { hash, value } of values) this.store.put(hash, value)
    this.blocks.append(genesis)
    return { latest: genesis, safe: genesis, finalized: genesis }
  }

  /** From here on what happens to the chain is kept. */
  follow(chain: ChainView): void {
    const kept = this.#kept
    const keepFinalized = () => {
      const { hash } = chain.finalized()
      if (hash !== this.#finalized) this.setMark('finalized', hash)
      this.#finalized = hash
    }
    const keepDivergence = (divergence: Divergence | undefined) =>
      this.setMark(
        'divergence',
        divergence ? JSON.stringify([`${divergence.since}`, divergence.cause]) : '[]',
      )
    chain.on('finalized', keepFinalized)
    // An L1 reorg beyond finality moves both.
    chain.on('safe', keepFinalized)
    chain.on('diverged', keepDivergence)
    chain.on('sealed', () => this.store.nextGeneration())
    chain.on('reorg', ({ removed }) => {
      const first = removed.at(-1)!.header.number
      const forget = kept.sql.prepare('DELETE FROM patched_state WHERE number >= ?')
      this.#write('reorg', () => {
        forget.run(first)
        return nothing
      })
      keepDivergence(chain.divergence())
      keepFinalized()
    })
  }

  /** What was written down under this name. */
  mark(name: string): string | undefined {
    const row = this.#kept.sql.prepare('SELECT value FROM mark WHERE name = ?').get(name)
    return row?.value as string | undefined
  }

  setMark(name: string, value: string): void {
    const set = this.#kept.sql.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?)')
    this.#write(name, () => {
      set.run(name, value, rowSum(name, value))
      return nothing
    })
  }

  close(): void {
    this.blocks.close()
  }

  /** Within a database transaction. */
  #writePatch({ block: { hash, header }, stateRoot }: StatePatch): () => void {
    const { sql } = this.#kept
    if (stateRoot === header.stateRoot) {
      sql.prepare('DELETE FROM patched_state WHERE block = ?').run(hash)
      return nothing
    }
    const row = [hash, header.number, stateRoot] as const
    const set = sql.prepare('INSERT OR REPLACE INTO patched_state VALUES (?, ?, ?, ?)')
    set.run(...row, rowSum(...row))
    return this.store.keep(stateRoot)
  }

  /** Writes at once, or owes it: what is not on disk now is so no later than the next block. */
  #write(about: string, write: Write): void {
    this.#owed.delete(about)
    this.#owed.set(about, write)
    try {
      this.#kept.write(() => this.#writeOwed())()
    } catch {
      // The next block, which cannot be written either, says so.
    }
  }

  /** All that is owed, and then this, within a database transaction. */
  #writeOwed(last: Write = () => nothing): () => void {
    const done = [...this.#owed.values(), last].map((write) => write())
    return () => {
      for (const written of done) written()
      this.#owed.clear()
    }
  }

  #finalizedBlock(latest: Block): Block {
    const hash = this.mark('finalized') as Hash | undefined
    return (hash && this.blocks.byHash(hash)) ?? this.blocks.byNumber(0n) ?? latest
  }
}

function nothing(): void {}
