import { parseBytes } from '../../../../json-rpc/params/parse-bytes.ts'
import { parseAddress } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { CheatMethod } from '../cheat-rpc.ts'

/** `anvil_setCode [address, bytecode]` @throws JsonRpcError -32602 */
export const setCode: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, codeParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const code = parseBytes(codeParam, 'code')
  await cheats.edit((state) => state.setCode(address, code))
}
