import type { NodeMethod } from '../../node-rpc.ts'
import { walkFrames } from '../../traces/call-frames.ts'
import { transactionFrame } from './transaction-frame.ts'

/**
 * `ots_traceTransaction [hash]`: calls, creations and selfdestructs of a transaction in the order of
 * their beginning, each with its depth; `value` is null where a frame cannot have one (STATICCALL,
 * DELEGATECALL).
 * @throws JsonRpcError -32602; -32000 unknown transaction, timeout, too large a trace
 */
export const otsTraceTransaction: NodeMethod = async (...asked) => {
  const root = await transactionFrame(...asked)
  return [...walkFrames(root)].map(([frame, depth]) => ({
    type: frame.type,
    depth,
    from: frame.from,
    to: frame.to ?? null,
    value: frame.type === 'DELEGATECALL' ? null : (frame.value ?? null),
    input: frame.input,
    output: frame.output ?? '0x',
  }))
}
