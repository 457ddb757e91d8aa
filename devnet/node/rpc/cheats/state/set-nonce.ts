import { parseAddress } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/** `anvil_setNonce [address, nonce]`; lower than before is allowed too. @throws JsonRpcError -32602 */
export const setNonce: CheatMethod = async ({ cheats }, params) => {
  const [address, nonce] = positional(params)
  await cheats.setNonce(parseAddress(address, 'address'), parseCheatQuantity(nonce, 'nonce', 64))
}
