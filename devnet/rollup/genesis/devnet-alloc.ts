import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { type L2AllocParameters, l2Alloc } from '#devnet/l2/genesis/l2-alloc'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import type { Alloc } from '#protocol/types/account'
import type { Fork } from '#protocol/types/execution-config'

/** Wei; ten million gifts of the faucet. */
const FAUCET_BALANCE = 10n ** 27n

/** What every devnet's L2 begins with: predeploys, funded users, and the faucet. */
export function devnetAlloc(options: {
  fork: Fork
  contracts: L1Addresses
  chainId: number
  baseTime?: L2AllocParameters['baseTime']
}): Alloc {
  const { fork, contracts, chainId, baseTime } = options
  const { l1CrossDomainMessenger, l1StandardBridge, l1ERC721Bridge } = contracts
  const alloc = l2Alloc({
    fork,
    chainId,
    accounts: userKeys.map(({ address }) => address),
    feeRecipient: roleKeys.sequencer.address,
    l1CrossDomainMessenger,
    l1StandardBridge,
    l1ERC721Bridge,
    baseTime,
  })
  return { ...alloc, [roleKeys.faucet.address]: { balance: FAUCET_BALANCE } }
}
