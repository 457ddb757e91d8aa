import { callTracer } from './call-tracer.ts'
import { erc7562Tracer } from './erc7562-tracer.ts'
import { flatCallTracer } from './flat-call-tracer.ts'
import { fourByteTracer } from './four-byte-tracer.ts'
import { prestateTracer } from './prestate-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import { structLogger } from './struct-logger.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { TraceOptions } from './trace-options.ts'

/**
 * A tracer for one transaction.
 * @param firstLogIndex how many logs its block has before it
 */
export function createTracer(
  options: TraceOptions,
  budget: TraceBudget,
  firstLogIndex = 0,
): ResultTracer {
  switch (options.tracer) {
    case 'structLogger':
      return structLogger(options.config, budget)
    case 'callTracer':
      return callTracer(options.config, budget, firstLogIndex)
    case 'erc7562Tracer':
      return erc7562Tracer(options.config, budget, firstLogIndex)
    case 'prestateTracer':
      return prestateTracer(options.config, budget)
    case '4byteTracer':
      return fourByteTracer(budget)
    case 'flatCallTracer':
      return flatCallTracer(options.config, budget)
    case 'noopTracer':
      return { onStep: () => budget.step(), result: () => ({}) }
  }
}
