import { hexToBigInt, hexToNumber, size, slice } from 'viem'
import { firstFast } from './block-due.ts'
import type { ChainKnown, L2BlockSeen } from './events-of.ts'

/** Denim: what a block may use is divided by it, and the base fee moves as much more slowly. */
const SCALE = 10n

interface FeeRules {
  denominator: bigint
  elasticity: bigint
  /** Wei. */
  least: bigint
}

/**
 * What is wrong with the gas of a block by its parent alone, as long as nobody changes it on L1: limit and fee
 * parameters stay, but for a tenth of the gas and ten times the denominator in the first block of 200 ms;
 * the base fee follows from what its parent used.
 * Source: OP specification, Holocene and Jovian; base/base, "200 ms blocks".
 * @returns one sentence each
 */
export function gasProblems(block: L2BlockSeen, parent: L2BlockSeen, known: ChainKnown): string[] {
  const scale = block.number === firstFast(known) ? SCALE : 1n
  const [own, before] = [feeRules(block), feeRules(parent)]
  const pairs: [string, bigint, bigint][] = [
    ['gas limit', BigInt(block.gasLimit), BigInt(parent.gasLimit) / scale],
    ['denominator', own.denominator, before.denominator * scale],
    ['elasticity', own.elasticity, before.elasticity],
    ['least base fee', own.least, before.least],
    ['base fee', BigInt(block.baseFee), baseFeeAfter(parent, before)],
  ]
  return pairs
    .filter(([, is, right]) => is !== right)
    .map(([name, is, right]) => `Block ${block.number} has a ${name} of ${is}, not ${right}.`)
}

/** Version, denominator and elasticity of four bytes each, and since Jovian the least base fee of eight. */
function feeRules({ extraData }: L2BlockSeen): FeeRules {
  return {
    denominator: BigInt(hexToNumber(slice(extraData, 1, 5))),
    elasticity: BigInt(hexToNumber(slice(extraData, 5, 9))),
    least: size(extraData) > 9 ? hexToBigInt(slice(extraData, 9, 17)) : 0n,
  }
}

/** What the block after this one asks for, in wei. */
export const nextBaseFee = (block: L2BlockSeen): bigint => baseFeeAfter(block, feeRules(block))

/** EIP-1559, by the rules of the parent; data counts where it takes more than gas (Jovian). */
function baseFeeAfter(
  { baseFee, gasLimit, gasUsed, blobGasUsed }: L2BlockSeen,
  { denominator, elasticity, least }: FeeRules,
): bigint {
  const fee = BigInt(baseFee)
  const target = BigInt(gasLimit) / elasticity
  const used = greater(BigInt(gasUsed), BigInt(blobGasUsed))
  const step = (off: bigint) => (fee * off) / target / denominator
  const rises = used > target
  const next = rises ? fee + greater(1n, step(used - target)) : fee - step(target - used)
  return greater(next, least)
}

const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other)
