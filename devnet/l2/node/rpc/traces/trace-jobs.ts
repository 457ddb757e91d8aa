import { makeWitness } from './make-witness.ts'
import { traceBlock } from './trace-block.ts'
import { findAccessList, traceCall } from './trace-call.ts'

/**
 * What a TraceRunner does, by name, each in a context: an executor of its own and a state. Any thread
 * will do.
 */
export const TRACE_JOBS = {
  traceBlock,
  traceCall,
  accessList: findAccessList,
  witness: makeWitness,
}
