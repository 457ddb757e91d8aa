import type { ErrorCode } from './error-table.ts'

/**
 * The base of every error we raise on purpose: a stable code of the table of errors, one sentence on
 * what was wrong, and what to do about it.
 * @example
 * throw new RollbedError('ARTIFACTS_MISSING', `There is no folder ${path}.`, {
 *   hint: 'Name one that is there.',
 * })
 */
export class RollbedError extends Error {
  /** Stable, upper snake case; tests and scripts match on this, never on the message. */
  readonly code: string
  /** What the reader can do about it, as one sentence. */
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint
  }
}
