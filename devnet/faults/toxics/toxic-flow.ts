import type { Clock, Timer } from '#protocol/clock/clock'
import type { Rng } from '#protocol/random/rng'
import type { Piece, Toxic, ToxicContext } from './toxic.ts'

/** Where bytes go in the end: a socket, or the other end of a pipe in memory. */
export interface Sink {
  write(bytes: Uint8Array): void
  end(): void
}

export interface ToxicFlowOptions {
  clock: Clock
  rng: Rng
  sink: Sink
  /** Breaks the whole connection. */
  reset(): void
  /** More bytes are on their way than should be: hold the sender; told again when they are gone. */
  onCrowded?(isCrowded: boolean): void
}

interface Queued {
  due: number
  bytes: Uint8Array | undefined
}

/** Bytes on their way beyond which the sender has to wait. */
const CROWDED = 1024 * 1024

/** One direction of one connection, through whatever toxics are on it. */
export class ToxicFlow {
  readonly #options: ToxicFlowOptions
  readonly #toxics = new Map<number, Toxic>()
  #queue: Queued[] = []
  #bytes = 0
  #lastDue = 0
  #timer: Timer | undefined
  #hasEnded = false
  #isClosed = false

  constructor(options: ToxicFlowOptions) {
    this.#options = options
  }

  add(id: number, make: (context: ToxicContext) => Toxic): void {
    const { clock, rng, reset } = this.#options
    this.#toxics.set(id, make({ clock, rng, reset, end: () => this.end() }))
  }

  remove(id: number): void {
    const toxic = this.#toxics.get(id)
    if (!toxic) return
    this.#toxics.delete(id)
    toxic.stop?.()
    if (toxic.loses) this.#options.reset()
    else if (toxic.queues && this.#toxics.size === 0) this.#hasten()
  }

  write(bytes: Uint8Array): void {
    if (this.#hasEnded || this.#isClosed) return
    let pieces: Piece[] = [{ bytes, delay: 0 }]
    for (const toxic of this.#toxics.values()) {
      const { pass } = toxic
      if (pass) pieces = pieces.flatMap((piece) => pass(piece))
    }
    for (const piece of pieces) this.#send(piece)
  }

  /** After what is on its way. */
  end(): void {
    if (this.#hasEnded || this.#isClosed) return
    this.#hasEnded = true
    const delay = Math.max(0, ...[...this.#toxics.values()].map(({ endDelay = 0 }) => endDelay))
    // What is loose comes before the end all the same.
    const last = Math.max(this.#lastDue, ...this.#queue.map(({ due }) => due))
    this.#enqueue({ due: Math.max(this.#options.clock.now() + delay, last), bytes: undefined })
  }

  /** Forgets what is on its way. */
  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#queue = []
    for (const toxic of this.#toxics.values()) toxic.stop?.()
    this.#toxics.clear()
  }

  /** Nothing holds it any more: a fault is over when it is said to be. */
  #hasten(): void {
    const now = this.#options.clock.now()
    this.#lastDue = Math.min(this.#lastDue, now)
    for (const item of this.#queue) item.due = Math.min(item.due, now)
    this.#deliver()
  }

  #send({ bytes, delay, isLoose }: Piece): void {
    const due = this.#options.clock.now() + delay
    if (!isLoose) this.#lastDue = Math.max(this.#lastDue, due)
    this.#enqueue({ due: isLoose ? due : this.#lastDue, bytes })
  }

  #enqueue(item: Queued): void {
    const wasCrowded = this.#bytes > CROWDED
    let place = this.#queue.length
    while (place > 0 && this.#queue[place - 1]!.due > item.due) place--
    this.#queue.splice(place, 0, item)
    this.#bytes += item.bytes?.length ?? 0
    if (!wasCrowded && this.#bytes > CROWDED) this.#options.onCrowded?.(true)
    if (place === 0) this.#deliver()
  }

  #deliver(): void {
    this.#timer?.cancel()
    const { clock, sink, onCrowded } = this.#options
    const wasCrowded = this.#bytes > CROWDED
    for (let next = this.#queue[0]; next && next.due <= clock.now(); next = this.#queue[0]) {
      this.#queue.shift()
      this.#bytes -= next.bytes?.length ?? 0
      if (next.bytes) sink.write(next.bytes)
      else sink.end()
      if (this.#isClosed) return
    }
    if (wasCrowded && this.#bytes <= CROWDED) onCrowded?.(false)
    const [next] = this.#queue
    if (!next) return
    const wait = Math.max(1, Math.ceil(next.due - clock.now()))
    this.#timer = clock.after(wait, () => this.#deliver())
  }
}
