import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { isPrecompile } from './is-precompile.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

const CALL_TYPES: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/**
 * `4byteTracer`: how often each function selector was called, with the length of its arguments:
 * `{"0x27dc297e-128": 1}`. Precompiles have no functions.
 */
export function fourByteTracer(budget: TraceBudget): ResultTracer {
  const counts: Record<string, number> = {}
  return {
    onStep: () => budget.step(),
    onEnter({ type, to, input }) {
      if (!CALL_TYPES.has(type) || input.length < 4 || isPrecompile(to)) return
      const key = `${bytesToHex(input.subarray(0, 4))}-${input.length - 4}`
      if (!(key in counts)) budget.spend(key.length + 10)
      counts[key] = (counts[key] ?? 0) + 1
    },
    result: () => counts,
  }
}
