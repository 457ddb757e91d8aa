import type { DatabaseSync } from 'node:sqlite'
import type { FaultParameters } from './fault-catalogue.ts'
import type { EffectsOn } from './fault-effects.ts'

/** Pages that SQLite takes unless told otherwise. */
const MAX_PAGES = 1_073_741_823

/** The disk under a SQLite database, which can fill up, refuse to be written, or be slow. */
export class FaultyDisk {
  /** How many faults of each kind are under way. */
  readonly #under = { full: 0, read_only: 0 }
  /** Milliseconds for which whoever writes is to wait: nothing beneath SQLite can, without all of the process. */
  delay = 0
  #database: DatabaseSync | undefined

  /** The connection that is used from here on. */
  attach(database: DatabaseSync | undefined): void {
    this.#database = database
    this.#obey()
  }

  /** The others are for whoever can kill its owner: `CrashingFiles`. */
  readonly effects = {
    full: () => this.#fall('full'),
    read_only: () => this.#fall('read_only'),
    slow: ({ delay }: FaultParameters['slow']) => {
      this.delay += delay
      return () => {
        this.delay -= delay
      }
    },
  } satisfies EffectsOn<'disk'>

  #fall(kind: 'full' | 'read_only'): () => void {
    this.#under[kind] += 1
    this.#obey()
    return () => {
      this.#under[kind] -= 1
      this.#obey()
    }
  }

  #obey(): void {
    const database = this.#database
    if (!database?.isOpen) return
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as {
      page_count: number
    }
    database.exec(`PRAGMA max_page_count = ${this.#under.full > 0 ? pages : MAX_PAGES}`)
    database.exec(`PRAGMA query_only = ${this.#under.read_only > 0 ? 'ON' : 'OFF'}`)
  }
}
