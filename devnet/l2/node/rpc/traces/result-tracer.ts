import type { Tracer } from '#protocol/execution/tracer'

/** A tracer with an answer, which is there once the transaction has ended. */
export interface ResultTracer extends Tracer {
  /** Plain data, ready for JSON. */
  result(): unknown
}
