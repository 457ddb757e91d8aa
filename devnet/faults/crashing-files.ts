import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { type Rng, randomInt } from '#protocol/random/rng'
import { cutPower } from './cut-power.ts'
import { DAMAGES, type Damage } from './damages.ts'
import { readDatabase, writeDatabase } from './database-files.ts'
import type { EffectsOn, Undo } from './fault-effects.ts'
import { tearLastWrite } from './tear-last-write.ts'

export interface CrashingFilesOptions {
  /** Of an SQLite database in WAL mode. */
  path: string
  /** Other files that say something of it. */
  beside?: readonly string[]
  rng: Rng
  /** Kills the owner, who then closes the database by `end`. */
  kill(): void | Promise<void>
  /** A commit that nobody is told of. */
  write(copy: DatabaseSync): void
}

/** `PRAGMA synchronous`: each commit waits for the disk. */
const FULL = 2

/**
 * The files of a database whose owner dies: what a crash, a loss of power or a bad disk makes of them before the
 * next owner opens them. What a bad disk has damaged is put back when its fault is over, as from a mirror, unless
 * somebody has opened it meanwhile and found nothing wrong.
 */
export class CrashingFiles {
  readonly #options: CrashingFilesOptions
  #isOpen = false
  #isSynced = true
  /** The files as the owner opened them last. */
  #before = new Map<string, Buffer>()
  /** How the owner's end leaves them. */
  #ending: ((close: () => void) => void) | undefined
  /** What damaged files were before. */
  #whole = new Map<string, Buffer | undefined>()
  #damages = 0

  constructor(options: CrashingFilesOptions) {
    this.#options = options
  }

  /** Is told that an owner has opened them and goes on with what is in them. */
  opened(database: DatabaseSync): void {
    const { path, beside = [] } = this.#options
    const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number }
    this.#isOpen = true
    this.#isSynced = synchronous >= FULL
    this.#before = new Map([path, ...beside].map((file) => [file, readFileSync(file)]))
    this.#whole.clear()
  }

  /** Whether the owner is being killed by a fault of these files. */
  get isToCrash(): boolean {
    return this.#ending !== undefined
  }

  /** Closes the database in the owner's name, and leaves its files as a fault says. */
  end(close: () => void): void {
    this.#isOpen = false
    const leave = this.#ending
    if (leave) leave(close)
    else close()
  }

  /** What a crash leaves, which nobody may refuse. */
  readonly crashes = {
    torn_write: () =>
      this.#endBy((close) => tearLastWrite(this.#options.path, close, this.#options.write)),
    power_off: () => this.#endBy((close) => this.#cutPower(close)),
  } satisfies EffectsOn<'disk'>

  /** What no crash leaves. */
  readonly damages = {
    flipped: () => this.#damageBy(DAMAGES.flipped),
    misdirected: () => this.#damageBy(DAMAGES.misdirected),
    lost_write: () => this.#damageBy(DAMAGES.lost_write),
  } satisfies EffectsOn<'disk'>

  async #endBy(leave: (close: () => void) => void): Promise<undefined> {
    this.#ending = leave
    try {
      await this.#options.kill()
    } finally {
      this.#ending = undefined
    }
    return undefined
  }

  #cutPower(close: () => void): void {
    const { path, beside = [], rng, write } = this.#options
    cutPower(path, { close, write, rng, isSynced: this.#isSynced })
    // Written in place, without waiting for the disk.
    for (const file of beside)
      if (randomInt(rng, 2) === 0) writeFileSync(file, this.#before.get(file)!)
  }

  async #damageBy(damage: Damage): Promise<Undo> {
    this.#damages += 1
    if (this.#isOpen)
      await this.#endBy((close) => {
        this.#close(close)
        this.#damage(damage)
      })
    else this.#damage(damage)
    return () => {
      this.#damages -= 1
      if (this.#damages === 0) this.#putBack()
    }
  }

  /** Tidily, or as SIGKILL does: then what was written last is in the log. */
  #close(close: () => void): void {
    const { path, rng } = this.#options
    const files = readDatabase(path)
    close()
    if (randomInt(rng, 2) === 0) writeDatabase(path, files)
  }

  #damage(damage: Damage): void {
    const { path, beside = [], rng } = this.#options
    const files = [path, `${path}-wal`, ...beside]
    if (this.#whole.size === 0)
      for (const file of files)
        this.#whole.set(file, existsSync(file) ? readFileSync(file) : undefined)
    damage({ path, beside: files.slice(1), before: this.#before.get(path)! }, rng)
  }

  #putBack(): void {
    for (const [file, bytes] of this.#whole) {
      if (bytes) writeFileSync(file, bytes)
      else rmSync(file, { force: true })
    }
    rmSync(`${this.#options.path}-shm`, { force: true })
    this.#whole.clear()
  }
}
