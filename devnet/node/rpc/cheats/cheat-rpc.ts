import type { RpcContext, RpcParams } from '../../../json-rpc/json-rpc-server.ts'
import type { Health } from '../../../supervisor/supervisor.ts'
import type { ChainCheats } from '../../sequencer/chain-cheats.ts'
import type { NodeRpc } from '../node-rpc.ts'
import type { RequestLog } from '../watching/request-log.ts'
import type { SubscriptionList } from '../watching/subscription-list.ts'
import type { DevAccounts } from './accounts/dev-accounts.ts'

/** What the cheat methods know beside what all methods know. */
export interface CheatRpc extends NodeRpc {
  cheats: ChainCheats
  accounts: DevAccounts
  /** Of this endpoint. */
  requests: RequestLog
  subscriptions: SubscriptionList
  health?: (() => Health) | undefined
}

/**
 * One of the methods that only a devnet has.
 * @throws JsonRpcError, or RollbedError for what the chain refuses
 */
export type CheatMethod = (rpc: CheatRpc, params: RpcParams, context: RpcContext) => unknown
