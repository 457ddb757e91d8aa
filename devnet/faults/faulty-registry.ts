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
import type { BringAbout } from './fault-engine.ts'
import { FaultyDisk } from './faulty-disk.ts'
import { tearLastWrite } from './tear-last-write.ts'

export interface FaultyRegistryOptions {
  /** Of a file of ours. */
  path: string
  /** Opens it, where it outlives the process. */
  open?: (() => KeptDatabase) | undefined
  rng: Rng
  /** By which the disk is slow. */
  clock: Clock
  /** Kills who serves the registry; it calls `recover` before it comes back. */
  kill(): Promise<void>
}

/**
 * Builder codes on a disk that fills up, refuses writes, is slow at each registration, or tears its last
 * write.
 */
export class FaultyRegistry implements CodeRegistry {
  readonly #options: FaultyRegistryOptions
  readonly #disk = new FaultyDisk()
  #registry: SqliteCodeRegistry
  #isToTear = false

  constructor(options: FaultyRegistryOptions) {
    this.#options = options
    this.#registry = this.#open()
  }

  register(wallet: Address): Registration | Promise<Registration> {
    return this.#disk.delay > 0 ? this.#registerLate(wallet) : this.#registry.register(wallet)
  }

  walletOf(code: string): Address | undefined {
    return this.#registry.walletOf(code)
  }

  close(): void {
    this.#registry.close()
  }

  /** Whoever serves it starts anew: on what a crash has left, where there was one. */
  recover(): void {
    if (!this.#isToTear) return
    this.#isToTear = false
    tearLastWrite(
      this.#options.path,
      () => this.#registry.close(),
      (copy) =>
        copy.exec("INSERT INTO registration VALUES (printf('%042d', 0), 'told to nobody', 0)"),
    )
    this.#registry = this.#open()
  }

  readonly bringAbout: BringAbout = async (fault, parameters) => {
    if (fault === 'torn_write') {
      this.#isToTear = true
      await this.#options.kill()
      return undefined
    }
    return await this.#disk.bringAbout(fault, parameters)
  }

  async #registerLate(wallet: Address): Promise<Registration> {
    await sleep(this.#options.clock, this.#disk.delay)
    return this.#registry.register(wallet)
  }

  #open(): SqliteCodeRegistry {
    const { path, open, rng } = this.#options
    return openCodeRegistry(open?.() ?? path, rng, (database) => this.#disk.attach(database))
  }
}
