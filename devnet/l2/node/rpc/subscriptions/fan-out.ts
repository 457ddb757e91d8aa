import { FairTurns } from '#devnet/base/json-rpc/fair-turns'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import type { Clock } from '#protocol/clock/clock'
import type { ChainView } from '../../chain-view.ts'

interface Delivery {
  to: RpcConnection
  run(): void
}

/** Deliveries that may be due: eight flashblocks to as many subscriptions as there can be. */
const MAX_DUE = 16_384

/**
 * Tells many subscribers of one event in slices of this thread's time, so that the next flashblock never
 * waits for all of them. Each hears everything in order; while there is time, at once. When more is due
 * than can be told, the connection to which most is due is cut off, and nobody else.
 */
export class FanOut {
  readonly #turns: FairTurns
  readonly #maxDue: number
  #due: Delivery[] = []
  #isTelling = false

  /** @param clock the machine's */
  constructor(clock: Clock, maxDue = MAX_DUE) {
    this.#turns = new FairTurns(clock)
    this.#maxDue = maxDue
  }

  /** As `chain.on`, for one connection. */
  on(chain: ChainView, to: RpcConnection): ChainView['on'] {
    return (event, listener) => {
      let isOver = false
      const stop = chain.on(event, (value) =>
        this.#deliver({
          to,
          run: () => {
            if (!isOver) listener(value)
          },
        }),
      )
      return () => {
        isOver = true
        stop()
      }
    }
  }

  #deliver(delivery: Delivery): void {
    if (!this.#isTelling && this.#turns.hasTime) return void this.#tellOne(delivery)
    this.#due.push(delivery)
    if (this.#due.length > this.#maxDue) this.#cutOffGreediest()
    if (!this.#isTelling) void this.#tell()
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    for (let sent = 0; this.#due.length > 0; sent = 0) {
      await this.#turns.next()
      const due = this.#due
      while (sent < due.length && this.#turns.hasTime) this.#tellOne(due[sent++]!)
      this.#due = due.slice(sent)
    }
    this.#isTelling = false
  }

  #tellOne({ to, run }: Delivery): void {
    try {
      this.#turns.run(run)
    } catch {
      // It would miss something.
      to.cutOff?.('Internal error')
    }
  }

  #cutOffGreediest(): void {
    const counts = new Map<RpcConnection, number>()
    for (const { to } of this.#due) counts.set(to, (counts.get(to) ?? 0) + 1)
    const [greediest] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))
    this.#due = this.#due.filter(({ to }) => to !== greediest)
    greediest.cutOff?.(`Too much: ${counts.get(greediest)} messages are due.`)
  }
}
