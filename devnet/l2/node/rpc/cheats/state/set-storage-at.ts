import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '../../json/hex.ts'
import type { CheatMethod } from '../cheat-rpc.ts'

/** `anvil_setStorageAt [address, slot, value]` → true @throws JsonRpcError -32602 */
export const setStorageAt: CheatMethod = async ({ cheats }, params) => {
  const [addressParam, slotParam, valueParam] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const slot = parseSlot(slotParam)
  const value = parseStorageWord(valueParam, 'value')
  await cheats.edit((state) => state.setStorage(address, slot, value))
  return true
}

/** viem and ethers send a slot as number too. */
function parseSlot(slot: unknown) {
  const isNumber = typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0
  return parseStorageWord(isNumber ? toQuantity(slot) : slot, 'slot')
}
