import type { Hex } from 'viem'
import { Attribution } from '#devnet/builder-codes/attribution/erc8021'
import { whyNoSuffix } from '#devnet/builder-codes/attribution/why-no-suffix'
import { RollbedError } from '#protocol/errors/rollbed-error'

/**
 * The ERC-8021 suffix that credits builder codes, for `dataSuffix` of a viem client or of a single
 * transaction.
 *
 * @param codes one or more, in the order in which they are credited
 * @throws RollbedError BUILDER_CODE_INVALID for a code that a suffix cannot hold
 * @example
 * import { builderCodeSuffix } from 'rollbed/viem'
 *
 * builderCodeSuffix('bc_a1b2c3d4') // '0x62635f61316232633364340b0080218021802180218021802180218021'
 * @see https://eips.ethereum.org/EIPS/eip-8021
 */
export function builderCodeSuffix(codes: string | readonly string[]): Hex {
  const list = typeof codes === 'string' ? [codes] : codes
  const wrong = whyNoSuffix(list)
  if (wrong !== undefined) throw new RollbedError('BUILDER_CODE_INVALID', wrong)
  return Attribution.toDataSuffix({ codes: list })
}
