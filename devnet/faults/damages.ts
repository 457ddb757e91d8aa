import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type Rng, randomInt } from '#protocol/random/rng'

/** That SQLite takes unless told otherwise; bytes. */
const PAGE = 4_096

/** What a disk does to files that nobody has open. */
export type Damage = (files: DamagedFiles, rng: Rng) => void

export interface DamagedFiles {
  /** Of the database. */
  path: string
  /** Its log, and what else says something of it. */
  beside: readonly string[]
  /** The database as its owner opened it last. */
  before: Buffer
}

export const DAMAGES = {
  /** One bit of one of the files is turned over. */
  flipped({ path, beside }, rng) {
    const files = [path, ...beside].filter((file) => existsSync(file) && statSync(file).size > 0)
    const file = files[randomInt(rng, files.length)]!
    const bytes = readFileSync(file)
    const at = randomInt(rng, bytes.length)
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << randomInt(rng, 8)), at)
    writeFileSync(file, bytes)
  },
  /** A page was written over another; what should be in its own place is what was there before. */
  misdirected({ path, before }, rng) {
    const bytes = readFileSync(path)
    const pages = bytes.length / PAGE
    // All but the first page may be in the log alone.
    if (pages < 2) return
    const from = randomInt(rng, pages)
    const to = (from + 1 + randomInt(rng, pages - 1)) % pages
    pageOf(bytes, from).copy(bytes, to * PAGE)
    pageOf(bytes, from).fill(0)
    pageOf(before, from).copy(bytes, from * PAGE)
    writeFileSync(path, bytes)
  },
  /** The disk said that a page was written, and it is as it was before. */
  lost_write({ path, before }, rng) {
    const bytes = readFileSync(path)
    const changed = Array.from({ length: before.length / PAGE }, (_, page) => page).filter(
      (page) => !pageOf(before, page).equals(pageOf(bytes, page)),
    )
    const page = changed[randomInt(rng, Math.max(1, changed.length))]
    if (page === undefined) return
    pageOf(before, page).copy(bytes, page * PAGE)
    writeFileSync(path, bytes)
  },
} as const satisfies Record<string, Damage>

const pageOf = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE, (page + 1) * PAGE)
