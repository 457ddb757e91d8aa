import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/** Bytes: five times what a deployment may have (EIP-170). More would keep flashblocks waiting. */
const MAX_CODE = 128 * 1024

/** `anvil_setCode [address, bytecode]` @throws JsonRpcError -32602 */
export const setCode: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, codeParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const code = parseBytes(codeParam, 'code', MAX_CODE)
  await cheats.edit((state) => state.setCode(address, code))
}
