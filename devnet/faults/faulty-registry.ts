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
import type { EffectsOn } from './fault-effects.ts'
import { FaultyDisk } from './faulty-disk.ts'
import { tearLastWrite } from './tear-last-write.ts'

export interface FaultyRegistryOptions {
  /** Of a file of ours. */
  path: string
  /** Opens it, where it outlives the process. */
  open?: (() => KeptDatabase) | undefined
  rng: Rng
  /** @default openCodeRegistry */
  openRegistry?: typeof openCodeRegistry
  /** By which the disk is slow. */
  clock: Clock
  /** Kills who serves the registry; it calls `recover` before it comes back. */
  kill(): Promise<void> | void
}

/**
 * Builder codes on a disk that fills up, refuses writes, is slow at each registration, or tears its last
 * write.
 */
export class FaultyRegistry implements CodeRegistry {
  readonly #options: FaultyRegistryOptions
  readonly #disk = new FaultyDisk()
  #registry: SqliteCodeRegistry | undefined
  #isToTear = false

  constructor(options: FaultyRegistryOptions) {
    this.#options = options
    this.#registry = this.#open()
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
    this.#registry?.close()
    this.#registry = undefined
  }

  /** Whoever serves it starts anew: on what a crash has left, where there was one. */
  recover(): void {
    if (this.#isToTear) {
      this.#isToTear = false
      tearLastWrite(
        this.#options.path,
        () => this.close(),
        (copy) =>
          copy.exec("INSERT INTO registration VALUES (printf('%042d', 0), 'told to nobody', 0)"),
      )
    }
    this.#registry ??= this.#open()
  }

  readonly effects = {
    ...this.#disk.effects,
    torn_write: async () => {
      this.#isToTear = true
      await this.#options.kill()
      return undefined
    },
  } satisfies EffectsOn<'disk'>

  async #registerLate(wallet: Address): Promise<Registration> {
    await sleep(this.#options.clock, this.#disk.delay)
    return this.#registry!.register(wallet)
  }

  #open(): SqliteCodeRegistry {
    const { path, open, rng, openRegistry = openCodeRegistry } = this.#options
    return openRegistry(open?.() ?? path, rng, (database) => this.#disk.attach(database))
  }
}
