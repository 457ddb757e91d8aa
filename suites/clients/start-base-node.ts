import { type RunningNodeRpc, startNodeRpc } from '../../devnet/node/rpc/start-node-rpc.ts'
import type { Devnet } from '../../devnet/start-devnet.ts'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'

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
