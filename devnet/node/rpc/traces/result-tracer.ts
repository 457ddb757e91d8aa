import type { Tracer } from '../../../../enclave-sim/protocol/execution/tracer.ts'

/** A tracer with an answer, which is there once the transaction has ended. */
export interface ResultTracer extends Tracer {
  /** Plain data, ready for JSON. */
  result(): unknown
}
