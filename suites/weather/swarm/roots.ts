import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { LoggedEvent } from '../checkers/checker.ts'
import { type FaultTime, faultTimes } from '../checkers/fault-times.ts'
import { drawBranch } from './draw-branch.ts'
import { momentOf } from './moment-of.ts'
import type { Place } from './place.ts'
import type { Reached } from './reached.ts'
import { SOMETIMES } from './sometimes.ts'

/** A run that came to a state which had no root. */
interface Root {
  state: string
  plan: FaultPlan
  /** When it came there; milliseconds. */
  at: number
  begun: readonly FaultTime[]
  places: readonly Place[]
  /** Futures of it that were drawn. */
  drawn: number
}

/**
 * Where a swarm branches: each run that came to a state first is a root, and its futures have the same beginning
 * until then. So what needs two rare things in a row needs each of them once, and not both in one run by chance. Once
 * a root has had its futures, the next run that comes to its state takes its place.
 */
export class Roots {
  readonly #futures: number
  /** By their states. */
  readonly #roots = new Map<string, Root>()
  /** Futures of all roots: the same beginning may be a root again, and then has others. */
  #drawn = 0

  /** @param futures of each root */
  constructor(futures: number) {
    this.#futures = futures
  }

  /** Takes in a run that was played; a future may come to what its beginning did not, and is a root then. */
  add(plan: FaultPlan, events: readonly LoggedEvent[], places: readonly Place[]): void {
    const begun = faultTimes(events)
    for (const sometimes of SOMETIMES) {
      const { name: state, isIn } = sometimes
      if (this.#roots.has(state) || !isIn(events, begun)) continue
      const at = momentOf(sometimes, events)
      this.#roots.set(state, { state, plan, at, begun, places, drawn: 0 })
    }
  }

  /** The next future of the state that was reached in the fewest runs; undefined: there is no root. */
  next(reached: Reached): FaultPlan | undefined {
    const [root] = [...this.#roots.values()].sort(
      (one, other) => reached.sometimes(one.state) - reached.sometimes(other.state),
    )
    if (!root) return undefined
    root.drawn += 1
    this.#drawn += 1
    if (root.drawn === this.#futures) this.#roots.delete(root.state)
    return drawBranch(root, this.#drawn)
  }
}
