import { type RunningNodeRpc, startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import type { Devnet } from '#devnet/start-devnet'
import { l2ChainId } from '#fixtures/chain/constants'
import { systemClock } from '#protocol/clock/system-clock'

/** A second RPC on a devnet's chain, which answers as deployed Base nodes do. */
export function startBaseNode({ node }: Devnet): Promise<RunningNodeRpc> {
  return startNodeRpc({
    chain: node.chain,
    config: { chainId: BigInt(l2ChainId), fork: 'jovian' },
    clock: systemClock,
    port: 0,
    profile: 'base',
  })
}
