import type { Clock } from '#protocol/clock/clock'

/** One thing that a part did, as checkers see it. */
export interface WorldEvent {
  /** Milliseconds since the recording began. */
  t: number
  /** The part: `l1`, `node`, `enclave.16`, `client.3`, … */
  who: string
  /** What it did, in a word or two joined by dots: `sealed`, `request.done`, … */
  what: string
  data: Readonly<Record<string, unknown>>
}

export interface EventRecorderOptions {
  clock: Clock
  /** Events kept; of more the newest are left out, and the last says how many. Default 500,000. */
  limit?: number
}

const MOST_EVENTS = 500_000

/**
 * The one log of a run: what every part did, in the order in which it happened. Written as NDJSON.
 *
 * @example
 * recorder.record('node', 'sealed', { number: 5, hash: '0x…' })
 */
export class EventRecorder {
  readonly #clock: Clock
  readonly #start: number
  readonly #limit: number
  readonly #events: WorldEvent[] = []
  readonly #listeners = new Set<(event: WorldEvent) => void>()
  #dropped = 0

  constructor(options: EventRecorderOptions) {
    this.#clock = options.clock
    this.#start = options.clock.now()
    this.#limit = options.limit ?? MOST_EVENTS
  }

  /** Whole milliseconds since the recording began: the time that what is recorded now bears. */
  now(): number {
    return Math.round(this.#clock.now() - this.#start)
  }

  /** @param data JSON; a bigint becomes a decimal string */
  record(who: string, what: string, data: Readonly<Record<string, unknown>> = {}): void {
    const event = { t: this.now(), who, what, data }
    if (this.#events.length < this.#limit) this.#events.push(event)
    else this.#dropped++
    for (const listener of this.#listeners) listener(event)
  }

  /** Hears of what follows. Returns how to stop listening. */
  on(listener: (event: WorldEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get events(): readonly WorldEvent[] {
    return this.#events
  }

  toNdjson(): string {
    const lines = this.#events.map((event) => JSON.stringify(event, plain))
    if (this.#dropped > 0) {
      const last = { t: this.#events.at(-1)?.t ?? 0, who: 'log', what: 'cut' }
      lines.push(JSON.stringify({ ...last, data: { dropped: this.#dropped } }))
    }
    return lines.map((line) => `${line}\n`).join('')
  }
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
