import { roleKeys } from '#fixtures/chain/dev-keys'
import { loadPreinstalls } from '#fixtures/preinstalls/load-preinstalls'
import type { Alloc } from '#protocol/types/account'
import type { Address } from '#protocol/types/bytes'
import { l1ContractAddresses } from './l1-contract-addresses.ts'

/** Wei: more than L2's accounts and its faucet begin with, so that all of it can be withdrawn. */
const BRIDGED_AT_GENESIS = 2n * 10n ** 27n

/**
 * What stands on L1 before its first transaction, whoever runs it: Multicall3, which viem reads games
 * with, and at the portal the ether that L2 begins with.
 */
export function l1Alloc(deployer: Address = roleKeys.deployer.address): Alloc {
  const { address, code } = loadPreinstalls().find(({ name }) => name === 'Multicall3')!
  const { optimismPortal } = l1ContractAddresses(deployer)
  return { [address]: { code }, [optimismPortal]: { balance: BRIDGED_AT_GENESIS } }
}
