import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/** `anvil_setNonce [address, nonce]`; lower than before is allowed too. @throws JsonRpcError -32602 */
export const setNonce: CheatMethod = async ({ cheats }, params) => {
  const [address, nonce] = positional(params)
  await cheats.setNonce(parseAddress(address, 'address'), parseCheatQuantity(nonce, 'nonce', 64))
}
