import type { RpcContext, RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { KeptJson } from './json/kept-json.ts'
import type { PendingLogIndex } from './logs/pending-log-index.ts'
import type { CallRunner } from './runners/call-runner.ts'
import type { ShownChain } from './shown-chain.ts'
import type { TraceRunner } from './traces/trace-runner.ts'

/** All that the node's RPC methods know. */
export interface NodeRpc extends ShownChain {
  runner: CallRunner
  tracer: TraceRunner
  /** Texts of answers that stay the same. */
  json: KeptJson
  pendingLogs: PendingLogIndex
}

/**
 * One method of the node: a function of what the chain has published when it is called.
 * @throws JsonRpcError
 */
export type NodeMethod = (rpc: NodeRpc, params: RpcParams, context: RpcContext) => unknown
