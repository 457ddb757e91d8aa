import type { ReadableBlock } from '../selector/readable-block.ts'
import type { CallFrame } from './call-tracer.ts'
import type { TracedChain } from './trace-runner.ts'
import { tracesOf } from './traces-of.ts'

const OPTIONS = {
  tracer: 'callTracer',
  timeout: 20_000,
  config: { onlyTopCall: false, withLog: false },
} as const

/**
 * The call trees of a block's transactions, or of one of them.
 * @throws JsonRpcError -32000 for genesis, a timeout, too large a trace; 4444 when the state is gone
 */
export async function callFrames(
  rpc: TracedChain,
  block: ReadableBlock,
  signal: AbortSignal,
  index?: number,
): Promise<CallFrame[]> {
  return (await tracesOf(rpc, block, OPTIONS, signal, index)) as CallFrame[]
}

/** A frame and all that it opened, in the order of their beginning, each with its depth. */
export function* walkFrames(frame: CallFrame, depth = 0): Generator<[CallFrame, number]> {
  yield [frame, depth]
  for (const inner of frame.calls ?? []) yield* walkFrames(inner, depth + 1)
}

/** The same, without what failed and so was taken back. */
export function* walkSucceeded(frame: CallFrame, depth = 0): Generator<[CallFrame, number]> {
  if (frame.error !== undefined) return
  yield [frame, depth]
  for (const inner of frame.calls ?? []) yield* walkSucceeded(inner, depth + 1)
}
