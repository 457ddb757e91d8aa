import type { Exchange } from '#reports/model'
import { CaseFailure, CaseSetAside } from '../case-failure.ts'

/** What the watch asks again and again, each time for an answer that the gate can tell before. */
export type KnownKind =
  | 'calls'
  | 'reverts'
  | 'revert-words'
  | 'refused-calls'
  | 'drawn-calls'
  | 'slots'
  | 'refused-slots'
  | 'sealed-logs'
  | 'refused-filters'
  | 'drawn-simulations'
  | 'simulated-heads'
  | 'simulated-fees'
  | 'refused-simulations'
  | 'absent-blocks'
  | 'called-slots'
  | 'simulated-slots'
  | 'newest-calls'
  | 'newest-slots'
  | 'newest-simulations'
  | 'tip-blocks'
  | 'tip-heights'
  | 'tip-logs'
  | 'ranges-past'
  | 'ranges-to'
  | 'refused-blocks'
  | 'codes'
  | 'refused-codes'
  | 'documents'
  | 'refused-documents'
  | 'health'
  | 'enclave-keys'
  | 'enclave-documents'

interface Known {
  count: number
  failure?: CaseFailure
  /** Why it could not be asked for. */
  absence?: string
}

/** How many answers of each kind came, and the first that was another than the one that was known. */
export class KnownAnswers {
  readonly #kinds = new Map<KnownKind, Known>()

  /**
   * Notes one answer; one that the target gave up, or that says nothing, is none.
   * @param judge throws where it is wrong: a CaseFailure, or whatever comes of an answer of another shape
   * @param exchange that shows it, if there is one
   */
  take(kind: KnownKind, judge: () => void, exchange?: Exchange): void {
    const known = this.of(kind)
    this.#kinds.set(kind, known)
    known.count += 1
    try {
      judge()
    } catch (error) {
      if (error instanceof CaseSetAside) {
        known.count -= 1
        return
      }
      const { at, expected, actual } = error instanceof CaseFailure ? error : unreadable(error)
      const hint = `It was the ${known.count}. answer of its kind.`
      const shown = exchange ? { exchange } : {}
      known.failure ??= new CaseFailure({ at, expected, actual, hint, ...shown })
    }
  }

  /** Notes that nothing can be asked of a kind; cases whose own it is tell of that. */
  takeAbsence(kind: KnownKind, error: unknown): void {
    const absence = error instanceof Error ? error.message : String(error)
    this.#kinds.set(kind, { ...this.of(kind), absence })
  }

  of(kind: KnownKind): Known {
    return this.#kinds.get(kind) ?? { count: 0 }
  }
}

/** A run never ends by what a target says: what cannot even be read is wrong. */
function unreadable(error: unknown): Pick<CaseFailure, 'at' | 'expected' | 'actual'> {
  const actual = error instanceof Error ? error.message : String(error)
  return { at: 'answer', expected: 'an answer that can be read', actual }
}
