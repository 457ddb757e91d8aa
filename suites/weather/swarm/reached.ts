import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { momentOf } from './moment-of.ts'
import type { Place } from './place.ts'
import { SOMETIMES } from './sometimes.ts'

export interface Counts {
  /** In how many runs each state was reached, by its name. */
  sometimes: Record<string, number>
  /** In how many runs each fault was brought about, by `target fault`. */
  faults: Record<string, number>
  /** In how many runs a state was reached after a fault, by that fault and then by the state. */
  after: Record<string, Record<string, number>>
}

/** Counts in how many runs a thing was reached; what was met rarely is drawn more. */
export class Reached {
  readonly #sometimes = new Map(SOMETIMES.map(({ name }) => [name, 0]))
  readonly #faults = new Map<string, number>()
  readonly #after = new Map<string, Map<string, number>>()

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
    const faults = faultTimes(events)
    const brought = (until: number) =>
      new Set(
        faults.filter(({ from }) => from <= until).map(({ target, fault }) => `${target} ${fault}`),
      )
    for (const name of brought(Infinity)) addOne(this.#faults, name)
    for (const sometimes of SOMETIMES) {
      if (!sometimes.isIn(events, faults)) continue
      addOne(this.#sometimes, sometimes.name)
      for (const fault of brought(momentOf(sometimes, events))) {
        const states = this.#after.get(fault) ?? new Map<string, number>()
        this.#after.set(fault, states)
        addOne(states, sometimes.name)
      }
    }
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
      after: Object.fromEntries(
        [...this.#after].map(([fault, states]) => [fault, Object.fromEntries(states)]),
      ),
    }
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
