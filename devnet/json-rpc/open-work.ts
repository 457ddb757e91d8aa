import { setImmediate } from 'node:timers/promises'
import type { Clock, Timer } from '../../enclave-sim/protocol/clock/clock.ts'
import type { RpcClient } from './http-rpc-client.ts'
import { type RpcEndpoint, rpcClientOf } from './rpc-endpoint.ts'

/**
 * Milliseconds of the machine's time in which nothing ended, after which what is waited for is taken to
 * hang: time then goes on without it.
 */
const PATIENCE = 5_000

/** Turns of the event loop in which nothing may begin. */
const QUIET_TURNS = 3

/** Tells when it has nothing left to do until time passes. */
type Idle = () => Promise<unknown>

/**
 * What the parts of a devnet wait for from each other, so that whoever moves time knows when all have
 * done what they could. Somebody who does not answer is not waited for again until he does.
 */
export class OpenWork {
  readonly #machine: Clock
  /** By whom each is to be done. */
  readonly #open = new Map<Promise<unknown>, object>()
  readonly #hanging = new Set<object>()
  readonly #idles = new Map<Idle, Promise<unknown> | undefined>()
  #begun = 0
  #tell = () => {}

  /** @param machine its own clock, by which requests hang */
  constructor(machine: Clock) {
    this.#machine = machine
  }

  /**
   * Time does not move while this goes on, as long as it does not hang.
   * @param by who does it
   */
  during<T>(work: Promise<T>, by: object): Promise<T> {
    this.#begun += 1
    this.#add(work, by)
    return work
  }

  /** A client whose requests count. */
  client(endpoint: RpcEndpoint): RpcClient {
    const client = rpcClientOf(endpoint)
    return { request: (...asked) => this.during(client.request(...asked), client) }
  }

  /** Asks this part each time whether it is idle. */
  include(idle: Idle): void {
    this.#idles.set(idle, undefined)
  }

  /** Resolves when nothing is open any more but what hangs. */
  async settled(): Promise<void> {
    for (;;) {
      const begun = this.#begun
      this.#askIdles()
      for (let turn = 0; turn < QUIET_TURNS; turn++) await setImmediate()
      if (this.#isWaiting()) await this.#untilOneEnds()
      else if (begun === this.#begun) return
    }
  }

  #askIdles(): void {
    for (const [idle, asked] of this.#idles) {
      if (asked && this.#open.has(asked)) continue
      const asking = idle()
      this.#idles.set(idle, asking)
      this.#add(asking, idle)
    }
  }

  #add(work: Promise<unknown>, by: object): void {
    this.#open.set(work, by)
    const end = () => {
      this.#open.delete(work)
      this.#tell()
    }
    work.then(() => {
      this.#hanging.delete(by)
      end()
    }, end)
  }

  #isWaiting(): boolean {
    for (const by of this.#open.values()) if (!this.#hanging.has(by)) return true
    return false
  }

  async #untilOneEnds(): Promise<void> {
    let timer: Timer | undefined
    await new Promise<void>((resolve) => {
      this.#tell = resolve
      timer = this.#machine.after(PATIENCE, () => {
        for (const by of this.#open.values()) this.#hanging.add(by)
        resolve()
      })
    })
    timer?.cancel()
    this.#tell = () => {}
  }
}
