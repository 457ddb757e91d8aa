import type { World } from '#devnet/rollup/world/world'
import { withTimeout } from '#protocol/clock/clock'
import { GarbledLinks } from './garbled-links.ts'

/** Whom a client asks, and over which link. */
export const SERVICES = {
  l2: 'link:client-l2',
  l1: 'link:client-l1',
  rollup: 'link:actor-rollup',
  host: 'link:actor-host',
  api: 'link:client-api',
} as const
export type Service = keyof typeof SERVICES

/** Milliseconds in which a service has to answer or to fail. A host may take as long as a proof may. */
const LIMITS: Record<Service, number> = {
  l2: 15_000,
  l1: 15_000,
  rollup: 15_000,
  host: 1_800_000,
  api: 15_000,
}

const GARBLED = 'The line turned bytes over: nobody knows what was answered.'

export interface Asked {
  /** undefined where there was no answer. */
  result?: unknown
  error?: Error
}

/** Requests of clients, each told to the recorder as it begins and as it ends. */
export class TrackedRequests {
  /** Whose answers say nothing. */
  readonly garbled: GarbledLinks
  readonly #world: World
  readonly #given = new AbortController()
  readonly #open = new Set<Promise<unknown>>()
  #nextId = 1

  constructor(world: World) {
    this.#world = world
    this.garbled = new GarbledLinks(world.recorder)
  }

  /** Aborted when the clients go home. */
  get signal(): AbortSignal {
    return this.#given.signal
  }

  stop(): void {
    this.#given.abort(new Error('The clients go home.'))
  }

  /** Resolves when what was asked so far has ended, each within its limit; proofs may go on. */
  async drain(): Promise<void> {
    await Promise.all(this.#open)
  }

  /** Never rejects. */
  ask(
    who: string,
    to: Service,
    method: string,
    run: (signal: AbortSignal) => Promise<unknown>,
    limit = LIMITS[to],
  ): Promise<Asked> {
    const asked = this.#ask(who, to, method, run, limit)
    if (to === 'host') return asked
    this.#open.add(asked)
    return asked.finally(() => this.#open.delete(asked))
  }

  async #ask(
    who: string,
    to: Service,
    method: string,
    run: (signal: AbortSignal) => Promise<unknown>,
    limit: number,
  ): Promise<Asked> {
    const { recorder, clock } = this.#world
    const id = this.#nextId++
    recorder.record(who, 'request.sent', { id, to, method, link: SERVICES[to], limit })
    const began = clock.now()
    const asked = this.#world.recorder.now()
    const giveUp = new AbortController()
    let late: Error | undefined
    const onTimeout = () => {
      late = new Error(`no answer within ${limit} ms`)
      giveUp.abort(late)
      return late
    }
    try {
      const signal = AbortSignal.any([giveUp.signal, this.signal])
      const result = await withTimeout(clock, limit, run(signal), onTimeout)
      recorder.record(who, 'request.done', { id, outcome: 'answer', ms: clock.now() - began })
      return this.#isGarbled(to, asked) ? { error: new Error(GARBLED) } : { result }
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught))
      if (this.signal.aborted) return { error }
      const outcome = error === late ? 'late' : 'error'
      const ms = clock.now() - began
      recorder.record(who, 'request.done', { id, outcome, ms, message: error.message })
      // A refusal may be of what the line made of the question.
      return { error: this.#isGarbled(to, asked) ? new Error(GARBLED) : error }
    }
  }

  #isGarbled(to: Service, since: number): boolean {
    return this.garbled.touched(SERVICES[to], since)
  }

  /** A JSON-RPC request. */
  rpc(
    who: string,
    to: Exclude<Service, 'api'>,
    method: string,
    params: readonly unknown[],
    limit?: number,
  ): Promise<Asked> {
    const client = this.#world.clients[to]
    return this.ask(who, to, method, (signal) => client.request(method, params, signal), limit)
  }
}
