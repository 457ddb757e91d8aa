import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { l1ChainId } from '#fixtures/chain/constants'
import { RollbedError } from '#protocol/errors/rollbed-error'

/**
 * A simulated root vouches for anything: it may be trusted where the L1 is a devnet's, nowhere else.
 * @throws SimulatedRootRefused
 */
export async function requireDevnet(l1: RpcClient): Promise<void> {
  const chainId = Number(await l1.request('eth_chainId', []))
  if (chainId !== l1ChainId) throw new SimulatedRootRefused(chainId)
}

export class SimulatedRootRefused extends RollbedError {
  constructor(chainId: number) {
    super(
      'SIMULATED_ROOT_REFUSED',
      `A simulated attestation root is trusted on a devnet (L1 chain ${l1ChainId}), not on L1 chain ${chainId}.`,
      { hint: 'Leave --trusted-root out: then the AWS root counts, and no other.' },
    )
  }
}
