import { setImmediate } from 'node:timers/promises'
import type { Clock, Timer } from '#protocol/clock/clock'
import type { RpcClient } from './http-rpc-client.ts'
import { type RpcEndpoint, rpcClientOf } from './rpc-endpoint.ts'

/**
 * Milliseconds of the machine's time. When none of the open pieces of work ended for so long, they are
 * taken to hang, and the devnet's time moves on without them.
 */
const PATIENCE = 5_000

/** So many turns of the event loop without new work, and no more is expected. */
const QUIET_TURNS = 3

/** Resolves when a part has nothing left to do until time passes. */
type Idle = () => Promise<unknown>

/**
 * The work that the parts of a devnet have open: requests they sent each other, and what they do
 * themselves. Whoever moves the devnet's time waits for it first, so that all that can happen at one
 * moment has happened before the next. A part that hangs is not waited for until it answers again.
 */
export class OpenWork {
  readonly #machine: Clock
  /** Each piece of work, and the part that does it. */
  readonly #open = new Map<Promise<unknown>, object>()
  readonly #hanging = new Set<object>()
  readonly #idles = new Map<Idle, Promise<unknown> | undefined>()
  #begun = 0
  #tell = () => {}

  /** @param machine the machine's clock, by which work is found to hang; the devnet's may stand still */
  constructor(machine: Clock) {
    this.#machine = machine
  }

  /**
   * Counts a piece of work as open until it ends. Time does not move meanwhile, unless it hangs.
   * @param by the part that does it: once one piece of its work hangs, none is waited for
   * @returns `work`
   */
  during<T>(work: Promise<T>, by: object): Promise<T> {
    this.#begun += 1
    this.#add(work, by)
    return work
  }

  /** A client whose requests are open work until they are answered. */
  client(endpoint: RpcEndpoint): RpcClient {
    const client = rpcClientOf(endpoint)
    return { request: (...asked) => this.during(client.request(...asked), client) }
  }

  /** Waits for this part, too, whenever time is to move. */
  include(idle: Idle): void {
    this.#idles.set(idle, undefined)
  }

  /** Resolves when no work is open any more, or only work that hangs. */
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
