import type { Clock } from '../../../enclave-sim/protocol/clock/clock.ts'
import type { Address } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { ExecutionConfig } from '../../../enclave-sim/protocol/types/execution-config.ts'
import type { RpcContext, RpcParams } from '../../json-rpc/json-rpc-server.ts'
import type { ChainView } from '../chain-view.ts'
import type { CallRunner } from './calls/call-runner.ts'
import type { KeptJson } from './json/kept-json.ts'
import type { PendingLogIndex } from './logs/pending-log-index.ts'
import type { ProfileValues } from './profile-differences.ts'
import type { TraceRunner } from './traces/trace-runner.ts'

/** All that the node's RPC methods know. */
export interface NodeRpc {
  chain: ChainView
  runner: CallRunner
  tracer: TraceRunner
  /** Texts of answers that stay the same. */
  json: KeptJson
  pendingLogs: PendingLogIndex
  clock: Clock
  config: ExecutionConfig
  profile: ProfileValues
  /** false: `pending` is `latest`, and what only pre-confirmations give is not offered. */
  preconfirmations: boolean
  /** Seconds between L2 blocks. */
  blockTime: number
  /** Blocks by which the environment of eth_call at pending lags (OPEN-05). */
  pendingEnvLag: number
  /** Who registered a builder code (ATTR-05). */
  walletOf(code: string): Address | undefined
}

/**
 * One method of the node: a function of what the chain has published when it is called.
 * @throws JsonRpcError
 */
export type NodeMethod = (rpc: NodeRpc, params: RpcParams, context: RpcContext) => unknown
