import { parseBoolean } from '#devnet/base/json-rpc/params/parse-boolean'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `anvil_impersonateAccount [address]`: `eth_sendTransaction` takes transactions in its name. It pays
 * for them like anybody; contracts may send too.
 *
 * @throws JsonRpcError -32602
 */
export const impersonateAccount: CheatMethod = ({ accounts }, params) =>
  accounts.impersonate(parseAddress(positional(params)[0], 'address'))

/** `anvil_stopImpersonatingAccount [address]` @throws JsonRpcError -32602 */
export const stopImpersonatingAccount: CheatMethod = ({ accounts }, params) =>
  accounts.stopImpersonating(parseAddress(positional(params)[0], 'address'))

/** `anvil_autoImpersonateAccount [enabled]`: everybody without a dev key. @throws JsonRpcError -32602 */
export const autoImpersonateAccount: CheatMethod = ({ accounts }, params) => {
  accounts.impersonatesAll = parseBoolean(positional(params)[0], 'enabled')
}
