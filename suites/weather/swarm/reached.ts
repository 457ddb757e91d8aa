import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import type { Place } from './draw-plan.ts'

/** What should happen in some run: a swarm that never meets it proves less than it seems to. */
const SOMETIMES = [
  'a proof was made under fault',
  'a proof was refused under fault',
  'L1 was reorganised while a proof ran',
  'two faults were in force at once',
  'a request failed and the next was answered',
] as const

/** Counts in how many runs a thing was reached. */
export class Reached {
  readonly #counts = new Map<string, number>()

  constructor(places: readonly Place[]) {
    for (const name of SOMETIMES) this.#counts.set(name, 0)
    for (const { target, faults } of places) {
      for (const fault of faults) this.#counts.set(`${target} ${fault}`, 0)
    }
  }

  add(events: readonly LoggedEvent[]): void {
    for (const name of reachedIn(events)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  never(): string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([name]) => name)
  }
}

function reachedIn(events: readonly LoggedEvent[]): Set<string> {
  const times = faultTimes(events)
  const reached = new Set<string>(times.map(({ target, fault }) => `${target} ${fault}`))
  const tell = (name: (typeof SOMETIMES)[number], isSo: boolean) => {
    if (isSo) reached.add(name)
  }
  const isUnderFault = (t: number) => times.some(({ from, to }) => from <= t && t <= to)
  const some = (what: string) => events.some((each) => each.what === what && isUnderFault(each.t))
  tell('a proof was made under fault', some('proof.made'))
  tell('a proof was refused under fault', some('proof.refused'))
  tell('L1 was reorganised while a proof ran', reorganisedInProof(events))
  tell(
    'two faults were in force at once',
    times.some((one, at) => times.slice(at + 1).some(({ from }) => from < one.to)),
  )
  const done = events.filter(({ what }) => what === 'request.done')
  const failed = done.findIndex(({ data }) => data.outcome !== 'answer')
  const answeredLater = done.slice(failed + 1).some(({ data }) => data.outcome === 'answer')
  tell('a request failed and the next was answered', failed >= 0 && answeredLater)
  return reached
}

function reorganisedInProof(events: readonly LoggedEvent[]): boolean {
  const open = new Set<unknown>()
  for (const { who, what, data } of events) {
    if (what === 'proof.asked') open.add(data.id)
    if (what === 'proof.made' || what === 'proof.refused') open.delete(data.id)
    if (who === 'l1' && what === 'reorg' && open.size > 0) return true
  }
  return false
}
