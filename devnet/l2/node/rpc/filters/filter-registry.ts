import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Clock } from '#protocol/clock/clock'
import type { Hex } from '#protocol/types/bytes'

/** Milliseconds after which a filter that nobody asks is gone, as geth and reth have it. */
export const FILTER_LIFETIME = 5 * 60_000
export const MAX_FILTERS = 1_000
/** Changes that wait for their client; a filter with more is gone, too. */
export const MAX_CHANGES = 20_000

/** Begins to tell of changes; returns what ends it. */
export type FilterSource = (push: (change: unknown) => void) => () => void

interface Filter {
  /** The parameter of `eth_newFilter`; undefined for the other kinds. */
  logFilter: unknown
  changes: unknown[]
  lastUsed: number
  stop(): void
}

/** The filters of a node's clients, which they poll. */
export class FilterRegistry {
  readonly #clock: Clock
  readonly #filters = new Map<Hex, Filter>()
  #lastId = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws JsonRpcError -32005 when there are too many */
  install(source: FilterSource, logFilter?: unknown): Hex {
    for (const id of this.#filters.keys()) this.#find(id)
    if (this.#filters.size >= MAX_FILTERS) {
      throw new JsonRpcError(-32005, 'too many filters', `At most ${MAX_FILTERS} can be installed.`)
    }
    const id: Hex = `0x${(++this.#lastId).toString(16)}`
    const push = (change: unknown) => {
      const filter = this.#find(id)
      if (filter && filter.changes.push(change) > MAX_CHANGES) this.uninstall(id)
    }
    const lastUsed = this.#clock.now()
    this.#filters.set(id, { logFilter, changes: [], lastUsed, stop: source(push) })
    return id
  }

  /** What has happened since it was asked last. @throws JsonRpcError -32000 */
  takeChanges(id: Hex): unknown[] {
    const filter = this.#use(id)
    const { changes } = filter
    filter.changes = []
    return changes
  }

  /** What `eth_newFilter` was called with. @throws JsonRpcError -32000, also for other kinds */
  logFilter(id: Hex): unknown {
    const { logFilter } = this.#use(id)
    if (logFilter === undefined) throw filterNotFound()
    return logFilter
  }

  /** Returns whether there was such a filter. */
  uninstall(id: Hex): boolean {
    this.#filters.get(id)?.stop()
    return this.#filters.delete(id)
  }

  #use(id: Hex): Filter {
    const filter = this.#find(id)
    if (!filter) throw filterNotFound()
    filter.lastUsed = this.#clock.now()
    return filter
  }

  /** Ends it if its time is over. */
  #find(id: Hex): Filter | undefined {
    const filter = this.#filters.get(id)
    if (!filter || this.#clock.now() - filter.lastUsed < FILTER_LIFETIME) return filter
    this.uninstall(id)
    return undefined
  }
}

function filterNotFound(): JsonRpcError {
  return new JsonRpcError(-32000, 'filter not found')
}
