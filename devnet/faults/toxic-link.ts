import type { Clock } from '#protocol/clock/clock'
import { type Rng, randomInt } from '#protocol/random/rng'
import { type FaultOn, type FaultParameters, schemaOf } from './fault-catalogue.ts'
import { createToxic, type ToxicName } from './toxics/create-toxic.ts'
import type { Toxic, ToxicContext } from './toxics/toxic.ts'
import { type Sink, ToxicFlow } from './toxics/toxic-flow.ts'

/** The two ends of a connection, as the link sees them. */
export interface LinkEnds {
  toServer: Sink
  toClient: Sink
  /** Breaks the connection on both sides, as a reset. */
  reset(): void
  /** Tells the sender of a direction to wait, or to go on. */
  onCrowded?(direction: 'upstream' | 'downstream', isCrowded: boolean): void
}

/** One connection through a link. */
export interface LinkConnection {
  /** What the client sends. */
  readonly upstream: ToxicFlow
  /** What the server sends. */
  readonly downstream: ToxicFlow
  /** Both ends are gone: nothing is delivered from here on. Idempotent. */
  close(): void
}

/** Nobody is there: a connection has nothing that a toxic could be put on. */
const DOWN = 'down'

type ActiveFault =
  | typeof DOWN
  | { direction: string; toxicity: number; make(context: ToxicContext): Toxic }

type LinkFault = FaultOn<'link'>

interface Live extends LinkConnection {
  reset(): void
}

/**
 * All connections of one kind, such as those of the batcher to L1, and the faults on them. Faults
 * befall connections that are open as well as those that come.
 *
 * @example
 * const link = new ToxicLink({ clock, rng })
 * const clear = link.add('latency', { latency: 200 })
 * const connection = link.connect(ends)
 * connection?.upstream.write(bytes)
 */
export class ToxicLink {
  readonly #clock: Clock
  readonly #rng: Rng
  readonly #faults = new Map<number, ActiveFault>()
  readonly #live = new Set<Live>()
  #nextId = 0

  /** For the engine of faults: each returns how to clear it. */
  readonly effects: {
    readonly [Name in LinkFault]: (parameters: FaultParameters[Name]) => () => void
  } = {
    latency: this.#toxic('latency'),
    bandwidth: this.#toxic('bandwidth'),
    slow_close: this.#toxic('slow_close'),
    timeout: this.#toxic('timeout'),
    reset_peer: this.#toxic('reset_peer'),
    slicer: this.#toxic('slicer'),
    limit_data: this.#toxic('limit_data'),
    down: () => this.#put(DOWN),
    corrupt: this.#toxic('corrupt'),
    reorder: this.#toxic('reorder'),
    duplicate: this.#toxic('duplicate'),
    half_open: this.#toxic('half_open'),
  }

  constructor(options: { clock: Clock; rng: Rng }) {
    this.#clock = options.clock
    this.#rng = options.rng
  }

  /** undefined when the link is down: the client is to be told of a refused connection. */
  connect(ends: LinkEnds): LinkConnection | undefined {
    if (this.isDown()) return undefined
    const reset = () => {
      if (!this.#live.has(live)) return
      live.close()
      ends.reset()
    }
    const flow = (sink: Sink, direction: 'upstream' | 'downstream') =>
      new ToxicFlow({
        clock: this.#clock,
        rng: this.#rng,
        sink,
        reset,
        onCrowded: (isCrowded) => ends.onCrowded?.(direction, isCrowded),
      })
    const live: Live = {
      upstream: flow(ends.toServer, 'upstream'),
      downstream: flow(ends.toClient, 'downstream'),
      reset,
      close: () => {
        this.#live.delete(live)
        live.upstream.close()
        live.downstream.close()
      },
    }
    this.#live.add(live)
    for (const [id, active] of this.#faults) this.#befall(live, id, active)
    return live
  }

  /**
   * Puts a fault on the link.
   * @param parameters as in the catalogue; what is left out has its default
   * @returns how to clear it
   */
  add<Name extends LinkFault>(fault: Name, parameters: Partial<FaultParameters[Name]> = {}) {
    return this.effects[fault](schemaOf(fault).parse(parameters))
  }

  #put(active: ActiveFault): () => void {
    const id = this.#nextId++
    this.#faults.set(id, active)
    for (const live of [...this.#live]) this.#befall(live, id, active)
    return () => {
      if (!this.#faults.delete(id)) return
      for (const live of [...this.#live]) {
        live.upstream.remove(id)
        live.downstream.remove(id)
      }
    }
  }

  isDown(): boolean {
    return [...this.#faults.values()].some((active) => active === DOWN)
  }

  #befall(live: Live, id: number, active: ActiveFault): void {
    if (active === DOWN) {
      live.reset()
      return
    }
    const { direction, toxicity, make } = active
    const share = randomInt(this.#rng, 2 ** 32) / 2 ** 32
    if (share >= toxicity) return
    if (direction !== 'downstream') live.upstream.add(id, make)
    if (direction !== 'upstream') live.downstream.add(id, make)
  }

  /** How a toxic is put on all connections. */
  #toxic<Name extends ToxicName>(fault: Name) {
    return (parameters: FaultParameters[Name]) =>
      this.#put({ ...parameters, make: (context) => createToxic(fault, parameters, context) })
  }
}
