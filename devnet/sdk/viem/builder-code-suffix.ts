import type { Hex } from 'viem'
import { Attribution } from '#devnet/builder-codes/attribution/erc8021'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** The length of the codes, with the commas between them, is one byte of the suffix. */
const MAX_LENGTH = 255

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
  const wrong = list.find((code) => !/^[\x21-\x2b\x2d-\x7e]+$/.test(code))
  if (wrong !== undefined) {
    throw invalid(`A code is printable ASCII without space or comma, not '${wrong}'.`)
  }
  if (list.length === 0) throw invalid('There is no code to credit.')
  const { length } = list.join(',')
  if (length > MAX_LENGTH) {
    throw invalid(`A suffix holds ${MAX_LENGTH} bytes of codes and commas, not ${length}.`)
  }
  return Attribution.toDataSuffix({ codes: list })
}

const invalid = (message: string) => new RollbedError('BUILDER_CODE_INVALID', message)
