import type { RpcContext, RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { Health } from '#devnet/base/process/supervisor'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { Branch } from '../../branches/branch.ts'
import type { Branches } from '../../branches/branches.ts'
import type { ChainCheats } from '../../sequencer/chain-cheats.ts'
import type { NodeRpc } from '../node-rpc.ts'
import type { RequestLog } from '../watching/request-log.ts'
import type { SubscriptionList } from '../watching/subscription-list.ts'
import type { DevAccounts } from './dev-accounts.ts'

/** What the cheat methods know beside what all methods know. */
export interface CheatRpc extends NodeRpc {
  cheats: ChainCheats
  accounts: DevAccounts
  /** Of this endpoint. */
  requests: RequestLog
  subscriptions: SubscriptionList
  health?: (() => Health) | undefined
  /** Missing: the node makes no branches. */
  branching?: Branching | undefined
  /** Of the devnet around the node, once it is ready. */
  description?: (() => DevnetDescription | undefined) | undefined
  /** Of the devnet around the node; missing: there is none. */
  time?: DevnetTime | undefined
  /** In a devnet that takes faults. */
  faults?: FaultEngine | undefined
}

/** The time of L1, L2 and all that belongs to them; milliseconds. */
export interface DevnetTime {
  now(): number
  travel(duration: number, signal?: AbortSignal): Promise<void>
  travelTo(time: number, signal?: AbortSignal): Promise<void>
}

export interface Branching {
  branches: Branches
  /** The branch that is asked; undefined for the node's own chain. */
  from?: Branch | undefined
  /** Where the node is reached, without a path. */
  urls(): { http: string; ws: string }
}

/**
 * One of the methods that only a devnet has.
 * @throws JsonRpcError, or RollbedError for what the chain refuses
 */
export type CheatMethod = (rpc: CheatRpc, params: RpcParams, context: RpcContext) => unknown
