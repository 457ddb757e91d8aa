import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { damaged } from '#devnet/base/process/kept-errors'
import { rowSum } from '#devnet/base/process/row-sum'
import { DATABASES, type DatabaseName, readWhole } from './state-files.ts'

/** How far the databases of a devnet were written when somebody was last told of it. */
export interface Progress {
  devnet: string
  /** Runs that a database may be of: the newest, and those before it while not all are of that. */
  runs: string[]
  /** Commits, by database. */
  writes: Record<DatabaseName, number>
}

/** A sector of a disk, which is written whole or not at all; bytes. */
const SIZE = 512

const schema = z.strictObject({
  devnet: z.string(),
  runs: z.array(z.string()),
  writes: z.strictObject({ l1: z.int(), l2: z.int(), builderCodes: z.int() }),
  sum: z.int(),
})

/**
 * Undefined where there is no such file, or nothing in it: a start was killed between making and writing it.
 * @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE
 */
export function readProgress(path: string): Progress | undefined {
  const text = readWhole(path)
  if (!text) return undefined
  try {
    if (text.length !== SIZE) throw new Error(`it has ${text.length} bytes, not ${SIZE}`)
    const { sum, ...progress } = schema.parse(JSON.parse(text))
    if (sum !== sumOf(progress)) throw new Error('its checksum does not fit')
    return progress
  } catch (cause) {
    const why = cause instanceof z.ZodError ? 'it is not of this form' : (cause as Error).message
    throw damaged(path, why, {
      cause,
      hint: 'Nothing was changed. It only says how far the databases were written: remove it, and the devnet goes on with what they hold, unchecked for what they may lack.',
    })
  }
}

/**
 * Remembers how far each database was written, in a file of its own: so it is noticed when a database
 * comes back with less. It is written after each commit, in place and without waiting for the disk, which
 * takes microseconds; after a loss of power it may say less than the databases hold, never more.
 */
export class ProgressFile {
  readonly #file: number
  #progress: Progress

  constructor(path: string, progress: Progress) {
    this.#progress = progress
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    this.#write()
    fsyncSync(this.#file)
  }

  /** A database has so many commits now. */
  wrote(name: DatabaseName, writes: number): void {
    this.#progress.writes[name] = writes
    try {
      this.#write()
    } catch {
      // A full disk that has no place even for what is there already. It then says less, which refuses nothing.
    }
  }

  /** All databases are of this run now. */
  enter(run: string): void {
    this.#progress = { ...this.#progress, runs: [run] }
    this.#write()
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(): void {
    const text = JSON.stringify({ ...this.#progress, sum: sumOf(this.#progress) })
    writeSync(this.#file, `${text.padEnd(SIZE - 1)}\n`, 0)
  }
}

function sumOf({ devnet, runs, writes }: Progress): number {
  return rowSum(devnet, runs.join(), ...DATABASES.map((name) => writes[name]))
}
