import type { DatabaseSync } from 'node:sqlite'
import type { FaultName } from './fault-catalogue.ts'
import type { BringAbout } from './fault-engine.ts'

/** Pages that SQLite takes unless told otherwise. */
const MAX_PAGES = 1_073_741_823

/** What a disk can do; `torn_write` is for whoever can kill its owner. */
export const DISK_FAULTS: readonly FaultName[] = ['full', 'read_only', 'slow']

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

  readonly bringAbout: BringAbout = (fault, parameters) => {
    if (fault === 'slow') return this.#beSlow(Number(parameters.delay))
    const kind = fault as 'full' | 'read_only'
    this.#under[kind] += 1
    this.#obey()
    return () => {
      this.#under[kind] -= 1
      this.#obey()
    }
  }

  #beSlow(delay: number): () => void {
    this.delay += delay
    return () => {
      this.delay -= delay
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
