import type { Address } from '../types/bytes.ts'
import type { AccessListEntry, Authorization } from '../types/transaction.ts'

/** EIP-3860: the largest initcode of a creation. */
export const MAX_INITCODE_SIZE = 49_152

export interface IntrinsicGas {
  /** What is charged before the first opcode. */
  gas: bigint
  /** EIP-7623: the least a transaction uses in the end, and must be able to. */
  floor: bigint
}

/** The gas a message costs by its form alone: EIPs 2028, 2930, 3860, 7623 and 7702. */
export function intrinsicGas(message: {
  to: Address | null
  data: Uint8Array
  accessList?: readonly AccessListEntry[] | undefined
  authorizationList?: readonly Authorization[] | undefined
}): IntrinsicGas {
  const { to, data, accessList = [], authorizationList = [] } = message
  let zeros = 0
  for (let at = 0; at < data.length; at++) if (data[at] === 0) zeros++
  const tokens = zeros + 4 * (data.length - zeros)
  let gas = 21_000 + 4 * tokens
  if (to === null) gas += 32_000 + 2 * Math.ceil(data.length / 32)
  for (const { storageKeys } of accessList) gas += 2_400 + 1_900 * storageKeys.length
  gas += 25_000 * authorizationList.length
  return { gas: BigInt(gas), floor: BigInt(21_000 + 10 * tokens) }
}
