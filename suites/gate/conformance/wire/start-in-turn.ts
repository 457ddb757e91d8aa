import { cannotJudge } from '../case-failure.ts'
import type { TimeLimit } from '../time-limit.ts'
import { turnsOf } from './turns-of.ts'

/** A process that starts takes a core; more at once would only make all of them late. */
const STARTS_AT_ONCE = 2

const inTurn = turnsOf(STARTS_AT_ONCE)

/** What a process may take to listen or to end, in milliseconds: beside much other work 20 s are not enough. */
export const STARTS_WITHIN = 60_000

/**
 * Starts something as soon as fewer than two others are starting. How long that takes is the machine's:
 * a time limit that is given stands still until it has started.
 */
export async function startInTurn<T>(start: () => Promise<T>, limit?: TimeLimit): Promise<T> {
  const goOn = limit?.pause()
  try {
    return await inTurn(start)
  } finally {
    goOn?.()
  }
}

/** @throws CaseSetAside always: what hangs and what is starved look alike from outside */
export function tooLate(who: 'host' | 'enclave'): never {
  cannotJudge(
    `The ${who} neither listened nor ended within ${STARTS_WITHIN / 1000} s: it hangs, or this machine is too busy.`,
  )
}
