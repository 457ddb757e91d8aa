import { bigIntMax } from '@ethereumjs/util'
import type { Header } from '../types/block.ts'
import type { Fork } from '../types/execution-config.ts'
import { decodeExtraData } from './extra-data.ts'

/**
 * The base fee of the block after `parent`, in wei (EIP-1559 with the parameters in the parent's
 * extraData). OP spec, Holocene: "Base fee computation"; Jovian: the fuller of gas and DA footprint
 * counts, and the result is at least minBaseFee.
 * @throws RollbedError EXTRA_DATA_MALFORMED
 * @example
 * const baseFee = nextBaseFee(latest.header, 'jovian')
 */
export function nextBaseFee(parent: Header, fork: Fork): bigint {
  const { denominator, elasticity, minBaseFee } = decodeExtraData(parent.extraData, fork)
  const used =
    fork === 'jovian' && parent.blobGasUsed > parent.gasUsed ? parent.blobGasUsed : parent.gasUsed
  const next = adjust(parent.baseFeePerGas, used, parent.gasLimit / BigInt(elasticity), denominator)
  return bigIntMax(next, minBaseFee)
}

function adjust(baseFee: bigint, used: bigint, target: bigint, denominator: number): bigint {
  if (used === target || target === 0n) return baseFee
  if (used > target) {
    return baseFee + bigIntMax((baseFee * (used - target)) / target / BigInt(denominator), 1n)
  }
  return baseFee - (baseFee * (target - used)) / target / BigInt(denominator)
}
