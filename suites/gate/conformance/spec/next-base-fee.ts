import { expectBytes, expectQuantity } from '../matchers/expect-hex.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'

interface FeeParameters {
  denominator: bigint
  /** Gas that a block aims at. */
  target: bigint
  /** Undefined before Jovian, where the DA footprint does not count, either. */
  minimum: bigint | undefined
}

/**
 * What the header of a block says of the base fee after it (OP Holocene, Jovian).
 * @returns undefined when extraData has neither form, as in a chain before Holocene
 */
export function feeParameters(block: JsonObject): FeeParameters | undefined {
  const extra = expectBytes(block.extraData, 'extraData')
  const version = extra.slice(2, 4)
  const isJovian = version === '01' && extra.length === 2 + 2 * 17
  if (!isJovian && !(version === '00' && extra.length === 2 + 2 * 9)) return undefined
  const denominator = BigInt(`0x${extra.slice(4, 12)}`)
  const elasticity = BigInt(`0x${extra.slice(12, 20)}`)
  if (denominator === 0n || elasticity === 0n) return undefined
  const target = expectQuantity(block.gasLimit, 'gasLimit') / elasticity
  const minimum = isJovian ? BigInt(`0x${extra.slice(20)}`) : undefined
  return { denominator, target, minimum }
}

/**
 * Base fee of the block after `parent`: EIP-1559 with the denominator and elasticity that the
 * parent's extraData carries (OP Holocene), and from Jovian on, its minimum and the DA footprint in
 * blobGasUsed as a second measure of fullness.
 *
 * @returns undefined when extraData has neither form, as in a chain before Holocene
 */
export function nextBaseFee(parent: JsonObject): bigint | undefined {
  const parameters = feeParameters(parent)
  if (!parameters) return undefined
  const { denominator, target, minimum } = parameters
  const used = expectQuantity(parent.gasUsed, 'gasUsed')
  const footprint = minimum === undefined ? 0n : expectQuantity(parent.blobGasUsed, 'blobGasUsed')
  const full = used > footprint ? used : footprint
  const base = expectQuantity(parent.baseFeePerGas, 'baseFeePerGas')
  const step = (distance: bigint) => (base * distance) / target / denominator
  const next = full > target ? base + (step(full - target) || 1n) : base - step(target - full)
  return minimum === undefined || next > minimum ? next : minimum
}
