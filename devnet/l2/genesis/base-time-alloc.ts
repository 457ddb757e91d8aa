import { loadContract } from '#fixtures/contracts/load-contract'
import { BASE_TIME_CODE } from '#protocol/execution/base-time-code'
import { ADMIN_SLOT, IMPLEMENTATION_SLOT } from '#protocol/execution/install-base-time'
import { BASE_TIME, BASE_TIME_IMPLEMENTATION, PROXY_ADMIN } from '#protocol/execution/predeploys'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hash } from '#protocol/types/bytes'

/**
 * BaseTime in a genesis: its proxy alone, to which Denim's first block gives something to stand for, or
 * both, where Denim holds from the start.
 * Source: base/base, base_time.rs of the EVM; base/contracts, L2Genesis.
 */
export function baseTimeAlloc(state: 'works' | 'waits'): Alloc {
  const admin = { [ADMIN_SLOT]: word(PROXY_ADMIN) }
  const linked = { ...admin, [IMPLEMENTATION_SLOT]: word(BASE_TIME_IMPLEMENTATION) }
  const proxy = { nonce: 1n, code: loadContract('Proxy').deployedBytecode }
  if (state === 'waits') return { [BASE_TIME]: { ...proxy, storage: admin } }
  return {
    [BASE_TIME]: { ...proxy, storage: linked },
    [BASE_TIME_IMPLEMENTATION]: { code: BASE_TIME_CODE },
  }
}

function word(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
}
