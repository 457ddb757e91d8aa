import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeHeader } from '#protocol/execution/header'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { parseStateSelector } from '../../selector/block-selector.ts'
import { requireBlock, requireBlockByHash } from '../../selector/find-block.ts'
import type { ExecutionWitness } from '../../traces/execution-witness.ts'
import { findReplay } from '../../traces/find-replay.ts'
import type { Replay } from '../../traces/replay.ts'
import { withTimeLimit } from '../../traces/with-time-limit.ts'

/** Milliseconds. */
const TIMEOUT = 10_000

/**
 * `debug_executionWitness [block]`: all that it takes to execute the block without a state.
 * @throws JsonRpcError -32602, -32001 unknown block, -32000 for genesis
 */
export const debugExecutionWitness: NodeMethod = (rpc, params, { signal }) => {
  const block = requireBlock(rpc, parseStateSelector(positional(params)[0], 'block'))
  return findWitness(rpc, findReplay(rpc, block), signal)
}

/** `debug_executionWitnessByBlockHash [hash]`: the same. @throws JsonRpcError -32602, -32001, -32000 */
export const debugExecutionWitnessByBlockHash: NodeMethod = (rpc, params, { signal }) => {
  const block = requireBlockByHash(rpc, parseHash(positional(params)[0], 'hash'))
  return findWitness(rpc, findReplay(rpc, block), signal)
}

export async function findWitness(
  rpc: NodeRpc,
  replay: Replay,
  signal: AbortSignal,
): Promise<ExecutionWitness> {
  const { witness, oldestAncestor } = await withTimeLimit(rpc, TIMEOUT, signal, (limited) =>
    rpc.tracer.witness({ ...replay, config: rpc.config }, limited),
  )
  const headers: ExecutionWitness['headers'] = []
  for (let number = oldestAncestor; number <= replay.parent.number; number++) {
    const ancestor = rpc.chain.blockByNumber(number)
    if (ancestor) headers.push(bytesToHex(encodeHeader(ancestor.header)))
  }
  return { ...witness, headers }
}
