import { getAddress } from 'viem'
import type { Address } from '#protocol/types/bytes'

/** viem answers checksummed addresses; ours are lower case. */
export function lower(address: Address): Address {
  return getAddress(address).toLowerCase() as Address
}
