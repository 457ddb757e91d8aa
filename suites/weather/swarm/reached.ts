import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import type { Place } from './place.ts'
import { SOMETIMES, sometimesIn } from './sometimes.ts'

export interface Counts {
  /** In how many runs each state was reached, by its name. */
  sometimes: Record<string, number>
  /** In how many runs each fault was brought about, by `target fault`. */
  faults: Record<string, number>
}

/** Counts in how many runs a thing was reached; what was met rarely is drawn more. */
export class Reached {
  readonly #sometimes = new Map(SOMETIMES.map(({ name }) => [name, 0]))
  readonly #faults = new Map<string, number>()

  /** What a world can do, so that what never happens is counted, too. */
  know(places: readonly Place[]): void {
    for (const { target, faults } of places) {
      for (const fault of faults) {
        const name = `${target} ${fault}`
        this.#faults.set(name, this.#faults.get(name) ?? 0)
      }
    }
  }

  add(events: readonly LoggedEvent[]): void {
    for (const name of sometimesIn(events)) addOne(this.#sometimes, name)
    const brought = faultTimes(events).map(({ target, fault }) => `${target} ${fault}`)
    for (const name of new Set(brought)) addOne(this.#faults, name)
  }

  sometimes(name: string): number {
    return this.#sometimes.get(name) ?? 0
  }

  fault(target: string, fault: string): number {
    return this.#faults.get(`${target} ${fault}`) ?? 0
  }

  counts(): Counts {
    return {
      sometimes: Object.fromEntries(this.#sometimes),
      faults: Object.fromEntries(this.#faults),
    }
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
