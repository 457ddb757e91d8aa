import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Exchange } from '#reports/model'

/** The target broke a rule. Carries what a reader needs to see the difference. */
export class CaseFailure extends RollbedError {
  /** Where in the answer, such as `result.transactions[2].hash`. */
  readonly at: string
  readonly expected: unknown
  readonly actual: unknown
  /** The exchange that shows it, where another case had asked; its time is that of the clock. */
  readonly exchange: Exchange | undefined

  constructor(failure: {
    at: string
    expected: unknown
    actual: unknown
    hint?: string
    exchange?: Exchange
  }) {
    super('CASE_FAILED', `${failure.at} is not what the rule asks for`, { hint: failure.hint })
    this.at = failure.at
    this.expected = failure.expected
    this.actual = failure.actual
    this.exchange = failure.exchange
  }
}

/** A case could not be judged, or has nothing to judge here; says why. */
export class CaseSetAside extends RollbedError {
  readonly verdict: 'not-applicable' | 'unknown' | 'gap'
  /** What the gate itself starts for the case did not start. */
  readonly isGateFault: boolean

  constructor(
    verdict: 'not-applicable' | 'unknown' | 'gap',
    reason: string,
    { isGateFault = false, cause }: { isGateFault?: boolean; cause?: unknown } = {},
  ) {
    super('CASE_SET_ASIDE', reason, { cause })
    this.verdict = verdict
    this.isGateFault = isGateFault
  }
}

/** Ends a case as unknown, and a run with exit code 3: the gate lacks what it starts for the case. */
export function gateFault(what: string, cause: unknown): never {
  const hint = cause instanceof RollbedError && cause.hint ? ` ${cause.hint}` : ''
  const how = cause instanceof Error ? cause.message : String(cause)
  const reason = `The gate could not start ${what}: ${how}${hint}`
  throw new CaseSetAside('unknown', reason, { isGateFault: true, cause })
}

/**
 * Ends a case as not applicable: the target has nothing that the rule speaks of.
 *
 * @param reason one sentence, shown in the report
 * @throws CaseSetAside always, with the verdict `not-applicable`
 * @example
 * import { notApplicable } from 'rollbed/conform'
 *
 * const firstOf = (logs: string[]) => logs[0] ?? notApplicable('The block has no logs.')
 * console.log(firstOf(['0x01']))
 */
export function notApplicable(reason: string): never {
  throw new CaseSetAside('not-applicable', reason)
}

/**
 * Ends a case as unknown: the target or driver did not get to the point where it can be judged. A run
 * with such a case exits 1.
 *
 * @param reason one sentence, shown in the report
 * @throws CaseSetAside always, with the verdict `unknown`
 * @example
 * import { cannotJudge } from 'rollbed/conform'
 *
 * const sealed = (status: string) => status === 'sealed' || cannotJudge('The block was not sealed.')
 * console.log(sealed('sealed'))
 */
export function cannotJudge(reason: string): never {
  throw new CaseSetAside('unknown', reason)
}
