import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/** `anvil_setCode [address, bytecode]` @throws JsonRpcError -32602 */
export const setCode: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, codeParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const code = parseBytes(codeParam, 'code')
  await cheats.edit((state) => state.setCode(address, code))
}
