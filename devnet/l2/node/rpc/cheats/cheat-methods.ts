import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { methodsFrom } from '#devnet/base/json-rpc/methods-from'
import type { Health } from '#devnet/base/process/supervisor'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { PoolRejected } from '../../mempool/pool-rejected.ts'
import type { ChainCheats } from '../../sequencer/chain-cheats.ts'
import { chainRefusal } from '../chain-refusal.ts'
import type { NodeRpc } from '../node-rpc.ts'
import type { RequestLog } from '../watching/request-log.ts'
import type { SubscriptionList } from '../watching/subscription-list.ts'
import type { CheatRpc } from './cheat-rpc.ts'
import { CHEAT_TABLE } from './cheat-table.ts'
import type { DevAccounts } from './dev-accounts.ts'

export interface CheatOptions extends Pick<CheatRpc, 'branching' | 'description' | 'time'> {
  control: ChainCheats
  /** Of the devnet around the node. */
  health?: (() => Health) | undefined
  /** In a devnet that takes faults. */
  faults?: FaultEngine | undefined
  /** Whom the node signs for; all endpoints of a node share them. */
  accounts: DevAccounts
  /** What is asked and subscribed, over all views of a node; default: of one view alone. */
  requests?: RequestLog
  subscriptions?: SubscriptionList
}

/**
 * The methods of a devnet that lets itself be cheated: `anvil_*`, `hardhat_*`, `evm_*` and dev accounts.
 * @throws JsonRpcError; each method does
 */
export function cheatMethods(
  rpc: NodeRpc,
  options: CheatOptions & Pick<CheatRpc, 'requests' | 'subscriptions'>,
): Record<string, RpcMethod> {
  const cheatRpc: CheatRpc = {
    ...rpc,
    // Of the moment: a spread would keep that of the start.
    get preconfirmations() {
      return rpc.preconfirmations
    },
    cheats: options.control,
    health: options.health,
    branching: options.branching,
    description: options.description,
    time: options.time,
    faults: options.faults,
    accounts: options.accounts,
    requests: options.requests,
    subscriptions: options.subscriptions,
  }
  return methodsFrom(CHEAT_TABLE, (method) => async (params, context) => {
    try {
      // As anvil answers where nothing is to be said.
      return (await method(cheatRpc, params, context)) ?? null
    } catch (error) {
      throw refusal(error)
    }
  })
}

/** What the chain refuses, in its own words. */
function refusal(error: unknown): unknown {
  if (!(error instanceof RollbedError) || error instanceof JsonRpcError) return error
  if (error instanceof PoolRejected || error.code === 'HISTORY_NOT_WRITTEN') {
    return chainRefusal(error)
  }
  return new JsonRpcError(-32602, error.message, error.hint)
}
