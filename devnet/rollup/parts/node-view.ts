import type { CheatOptions } from '#devnet/l2/node/rpc/cheats/cheat-methods'
import { DevAccounts } from '#devnet/l2/node/rpc/cheats/dev-accounts'
import type { Node } from '#devnet/l2/node/start-node'
import { userKeys } from '#fixtures/chain/dev-keys'
import { executionRules } from '#protocol/derivation/execution-rules'
import type { RollupConfig } from '#protocol/derivation/rollup-config'

/** What a devnet's node shows of its chain, and the cheats that it takes. */
export function nodeView(
  node: Pick<Node, 'chain' | 'cheats'>,
  config: RollupConfig,
  around: Omit<CheatOptions, 'control' | 'accounts'> = {},
) {
  return {
    chain: node.chain,
    config: executionRules(config),
    blockTime: config.blockTime,
    cheats: { ...around, control: node.cheats, accounts: new DevAccounts(userKeys) },
  }
}
