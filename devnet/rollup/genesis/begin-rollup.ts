import { deployBridgeContracts } from '#devnet/l1/deploy-bridge-contracts'
import { type L1Addresses, l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import type { L1Sender } from '#devnet/l1/send-transactions'
import type { L1BlockRef } from '#devnet/l1/start-l1'
import { l1ChainId, l2ChainId as usualChainId } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { devnetSystemConfig } from './devnet-system-config.ts'
import { type RollupGenesis, rollupGenesis } from './rollup-genesis.ts'

/**
 * What every rollup begins with, whatever its L1 runs in: the bridge on L1, and the L2 chain that starts at
 * the block in which it is.
 * @param l1 how L1 is asked, and how it mines that block; a chain id only where it is not the usual one
 * @throws L1_TRANSACTION_FAILED
 */
export async function beginRollup(
  l1: Pick<L1Sender<L1BlockRef>, 'rpcUrl' | 'mine'> & { chainId?: number },
  options: Omit<Parameters<typeof rollupGenesis>[0], 'l1Start' | 'contracts' | 'systemConfig'>,
): Promise<{ contracts: L1Addresses; genesis: RollupGenesis }> {
  const { l2ChainId = usualChainId } = options
  const { contracts, mined } = await deployBridgeContracts({
    ...{ chainId: l1ChainId, ...l1, l2ChainId },
    systemConfig: devnetSystemConfig,
  })
  const genesis = await rollupGenesis({ ...options, l2ChainId, l1Start: mined, contracts })
  const { journal } = genesis.config
  return {
    genesis,
    contracts: journal ? l1ContractAddresses(roleKeys.deployer.address, true) : contracts,
  }
}
