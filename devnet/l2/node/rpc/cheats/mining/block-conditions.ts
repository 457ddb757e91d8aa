import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseAddress, parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/** An empty block's L1-attributes deposit and the deposits of one L1 block must fit. */
const MIN_GAS_LIMIT = 21_000_000n
const MAX_GAS_LIMIT = 1_000_000_000_000n

/** `anvil_setNextBlockBaseFeePerGas [wei]`; later blocks follow from it. @throws JsonRpcError -32602 */
export const setNextBlockBaseFeePerGas: CheatMethod = async ({ cheats }, params) => {
  const baseFeePerGas = parseCheatQuantity(positional(params)[0], 'baseFeePerGas', 128)
  await cheats.setConditions({ baseFeePerGas })
}

/** `hardhat_setPrevRandao [hash]`, for the next block. @throws JsonRpcError -32602 */
export const setPrevRandao: CheatMethod = async ({ cheats }, params) => {
  await cheats.setConditions({ prevRandao: parseHash(positional(params)[0], 'prevRandao') })
}

/**
 * `anvil_setCoinbase [address]`: who gets the tips from the next block on, in place of the
 * SequencerFeeVault.
 *
 * @throws JsonRpcError -32602
 */
export const setCoinbase: CheatMethod = async ({ cheats }, params) => {
  await cheats.setConditions({ feeRecipient: parseAddress(positional(params)[0], 'address') })
}

/** `evm_setBlockGasLimit [gas]` → true. From the next block on. @throws JsonRpcError -32602 */
export const setBlockGasLimit: CheatMethod = async ({ cheats }, params) => {
  const gasLimit = parseCheatQuantity(positional(params)[0], 'gasLimit', 64)
  if (gasLimit < MIN_GAS_LIMIT || gasLimit > MAX_GAS_LIMIT) {
    throw invalidParams(
      `gasLimit: must be from ${MIN_GAS_LIMIT}, which deposits may need, to ${MAX_GAS_LIMIT}`,
    )
  }
  await cheats.setConditions({ gasLimit })
  return true
}
