import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

const MAX_BALANCE = 2n ** 256n - 1n

/** `anvil_setBalance [address, wei]` @throws JsonRpcError -32602 */
export const setBalance: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, balanceParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const balance = parseCheatQuantity(balanceParam, 'balance')
  await cheats.edit((state) => state.setBalance(address, balance))
}

/** `anvil_addBalance [address, wei]`; stops at 2^256 - 1. @throws JsonRpcError -32602 */
export const addBalance: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, balanceParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const added = parseCheatQuantity(balanceParam, 'balance')
  await cheats.edit(async (state) => {
    const sum = (await state.getBalance(address)) + added
    await state.setBalance(address, sum > MAX_BALANCE ? MAX_BALANCE : sum)
  })
}
