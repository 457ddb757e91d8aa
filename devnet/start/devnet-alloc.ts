import type { Alloc } from '../../enclave-sim/protocol/types/account.ts'
import type { Fork } from '../../enclave-sim/protocol/types/execution-config.ts'
import { roleKeys, userKeys } from '../../fixtures/chain/dev-keys.ts'
import type { L1Addresses } from '../l1/l1-contract-addresses.ts'
import { l2Alloc } from '../l2-genesis/l2-alloc.ts'

/** Wei; ten million gifts of the faucet. */
const FAUCET_BALANCE = 10n ** 27n

/** What every devnet's L2 begins with: predeploys, funded users, and the faucet. */
export function devnetAlloc(options: {
  fork: Fork
  contracts: L1Addresses
  chainId: number
}): Alloc {
  const { fork, contracts, chainId } = options
  const { l1CrossDomainMessenger, l1StandardBridge, l1ERC721Bridge } = contracts
  const alloc = l2Alloc({
    fork,
    chainId,
    accounts: userKeys.map(({ address }) => address),
    feeRecipient: roleKeys.sequencer.address,
    l1CrossDomainMessenger,
    l1StandardBridge,
    l1ERC721Bridge,
  })
  return { ...alloc, [roleKeys.faucet.address]: { balance: FAUCET_BALANCE } }
}
