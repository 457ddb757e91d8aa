import {
  blocksFollow,
  finalIsFinal,
  headsGoForward,
  oneSnapshot,
  pendingGoesForward,
  preconfirmedIsSealed,
  safeIsSealed,
} from './checkers/chain-checkers.ts'
import type { Checker, LoggedEvent, Violation } from './checkers/checker.ts'
import {
  codesAreMadeOnce,
  codesAreSpelled,
  codesLast,
  oddIsRefused,
} from './checkers/code-checkers.ts'
import { damageIsNamed } from './checkers/damage-is-named.ts'
import { failsClosed, noFalseSignature, proofsAreWhole } from './checkers/proof-checkers.ts'
import {
  gamesEndInTruth,
  healthLatches,
  logsComeOnce,
  nothingBreaksInside,
  nothingIsLeft,
  requestsEnd,
  worksAgain,
} from './checkers/service-checkers.ts'
import { MODEL_CHECKERS } from './model/model-checkers.ts'

export const CHECKERS: readonly Checker[] = [
  ...MODEL_CHECKERS,
  noFalseSignature,
  failsClosed,
  proofsAreWhole,
  codesLast,
  codesAreMadeOnce,
  codesAreSpelled,
  oddIsRefused,
  preconfirmedIsSealed,
  pendingGoesForward,
  oneSnapshot,
  blocksFollow,
  safeIsSealed,
  finalIsFinal,
  headsGoForward,
  logsComeOnce,
  healthLatches,
  requestsEnd,
  nothingBreaksInside,
  damageIsNamed,
  gamesEndInTruth,
  nothingIsLeft,
  worksAgain,
]

/**
 * What is wrong by a log alone, in the order of time.
 * @param only names of checkers; all by default
 */
export function judgeLog(events: readonly LoggedEvent[], only?: readonly string[]): Violation[] {
  return CHECKERS.filter(({ name }) => !only || only.includes(name))
    .flatMap((checker) =>
      [...checker.safety(events), ...(checker.liveness?.(events) ?? [])].map((found) => ({
        checker: checker.name,
        ...found,
      })),
    )
    .sort((a, b) => a.t - b.t)
}

/** Reads a stored log. */
export function parseLog(ndjson: string): LoggedEvent[] {
  return ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent)
}
