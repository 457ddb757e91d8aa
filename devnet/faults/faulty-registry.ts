import type { DatabaseSync } from 'node:sqlite'
import type { Address } from 'viem'
import type { KeptDatabase } from '#devnet/base/process/kept-database'
import {
  type CodeRegistry,
  openCodeRegistry,
  type Registration,
  type SqliteCodeRegistry,
} from '#devnet/builder-codes/code-registry'
import { type Clock, sleep } from '#protocol/clock/clock'
import type { Rng } from '#protocol/random/rng'
import { CrashingFiles } from './crashing-files.ts'
import type { EffectsOn } from './fault-effects.ts'
import { FaultyDisk } from './faulty-disk.ts'

export interface FaultyRegistryOptions {
  /** Of a file of ours. */
  path: string
  /** Opens it, where it outlives the process. */
  open?: (() => KeptDatabase) | undefined
  rng: Rng
  /** Whoever serves it may be refused to start, and tries again. @default false */
  mayBeDamaged?: boolean
  /** Other files that say something of it. */
  beside?: readonly string[]
  /** Of where its disk is damaged. */
  diskRng: Rng
  /** @default openCodeRegistry */
  openRegistry?: typeof openCodeRegistry
  /** By which the disk is slow. */
  clock: Clock
  /** Kills who serves the registry; it calls `recover` before it comes back. */
  kill(): Promise<void> | void
}

/**
 * Builder codes on a disk that fills up, refuses writes, is slow at each registration, tears its last write, loses
 * power, or damages what it holds.
 */
export class FaultyRegistry implements CodeRegistry {
  readonly #options: FaultyRegistryOptions
  readonly #disk = new FaultyDisk()
  readonly #files: CrashingFiles
  #registry: SqliteCodeRegistry | undefined

  constructor(options: FaultyRegistryOptions) {
    const { path, beside = [], diskRng: rng, kill } = options
    this.#options = options
    this.#files = new CrashingFiles({ path, beside, rng, kill, write: writeHalfACode })
    this.#registry = this.#open()
  }

  get effects() {
    return {
      ...this.#disk.effects,
      ...this.#files.crashes,
      ...(this.#options.mayBeDamaged && this.#files.damages),
    } satisfies EffectsOn<'disk'>
  }

  register(wallet: Address): Registration | Promise<Registration> {
    return this.#disk.delay > 0 ? this.#registerLate(wallet) : this.#registry!.register(wallet)
  }

  walletOf(code: string): Address | undefined {
    return this.#registry?.walletOf(code)
  }

  /** Nobody registers until `recover`. Idempotent. */
  close(): void {
    this.#disk.attach(undefined)
    const registry = this.#registry
    this.#registry = undefined
    if (registry) this.#files.end(() => registry.close())
  }

  /** Whoever serves it starts anew: on what a crash has left, where there was one. */
  recover(): void {
    if (this.#files.isToCrash) this.close()
    this.#registry ??= this.#open()
  }

  async #registerLate(wallet: Address): Promise<Registration> {
    await sleep(this.#options.clock, this.#disk.delay)
    return this.#registry!.register(wallet)
  }

  #open(): SqliteCodeRegistry {
    const { path, open, rng, openRegistry = openCodeRegistry } = this.#options
    return openRegistry(open?.() ?? path, rng, (database) => {
      this.#disk.attach(database)
      this.#files.opened(database)
    })
  }
}

/** The commit that is torn: what it holds nobody ever sees. */
function writeHalfACode(copy: DatabaseSync): void {
  copy.exec("INSERT INTO registration VALUES (printf('%042d', 0), 'told to nobody', 0)")
}
