import { bigIntMax } from '@ethereumjs/util'
import type { L1FeeFields } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import { fastLzSize } from './fastlz-size.ts'

/** OP spec, Fjord, "Fees": the linear model of a transaction's size in a compressed batch. */
const SIZE_INTERCEPT = -42_585_600n
const FASTLZ_COEFFICIENT = 836_500n
const MIN_TRANSACTION_SIZE = 100_000_000n
/** Sizes and scalars are both in millionths. */
const MILLION = 1_000_000n

/** OP spec, Jovian, "Operator Fee": the scalar no longer counts millionths. */
const JOVIAN_OPERATOR_FEE_FACTOR = 100n
/** OP spec, Jovian, "L1 Block Attributes": what a scalar of 0 means. */
const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400n

/** What the L1-attributes transaction told L2 about fees; the same for a whole block. */
export type L1FeeParameters = Pick<
  L1FeeFields,
  | 'l1GasPrice'
  | 'l1BlobBaseFee'
  | 'l1BaseFeeScalar'
  | 'l1BlobBaseFeeScalar'
  | 'operatorFeeScalar'
  | 'operatorFeeConstant'
  | 'daFootprintGasScalar'
>

/**
 * Reads the parameters from the storage of the L1Block predeploy (its layout: op-geth,
 * core/types/rollup_cost.go).
 */
export async function readL1FeeParameters(
  readSlot: (slot: Hash) => Promise<bigint>,
  fork: Fork,
): Promise<L1FeeParameters> {
  const [baseFee, scalars, blobBaseFee, operator] = [
    await readSlot(slotKey(1)),
    await readSlot(slotKey(3)),
    await readSlot(slotKey(7)),
    await readSlot(slotKey(8)),
  ]
  const daScalar = bits(operator, 96, 16)
  return {
    l1GasPrice: baseFee,
    l1BlobBaseFee: blobBaseFee,
    l1BaseFeeScalar: bits(scalars, 96, 32),
    l1BlobBaseFeeScalar: bits(scalars, 64, 32),
    operatorFeeScalar: bits(operator, 64, 32),
    operatorFeeConstant: bits(operator, 0, 64),
    daFootprintGasScalar:
      fork === 'isthmus' ? 0n : daScalar === 0n ? DEFAULT_DA_FOOTPRINT_GAS_SCALAR : daScalar,
  }
}

/** The estimated size of a transaction in a batch, in millionths of a byte. */
export function estimatedSize(raw: Uint8Array): bigint {
  const estimate = SIZE_INTERCEPT + FASTLZ_COEFFICIENT * BigInt(fastLzSize(raw))
  return bigIntMax(estimate, MIN_TRANSACTION_SIZE)
}

/** The L1 part of a signed transaction's fee, as its receipt reports it. */
export function l1FeeFields(raw: Uint8Array, parameters: L1FeeParameters): L1FeeFields {
  const size = estimatedSize(raw)
  const { l1GasPrice, l1BaseFeeScalar, l1BlobBaseFee, l1BlobBaseFeeScalar } = parameters
  const pricePerByte = 16n * l1BaseFeeScalar * l1GasPrice + l1BlobBaseFeeScalar * l1BlobBaseFee
  return {
    ...parameters,
    l1GasUsed: (size * 16n) / MILLION,
    l1Fee: (size * pricePerByte) / (MILLION * MILLION),
    // OP spec, Jovian, "DA Footprint Block Limit".
    daFootprint: (size / MILLION) * parameters.daFootprintGasScalar,
  }
}

/** The operator fee for an amount of gas. OP spec, Isthmus, "Operator Fee", as Jovian changed it. */
export function operatorFee(gas: bigint, parameters: L1FeeParameters, fork: Fork): bigint {
  const { operatorFeeScalar, operatorFeeConstant } = parameters
  const product = gas * operatorFeeScalar
  const variable = fork === 'jovian' ? product * JOVIAN_OPERATOR_FEE_FACTOR : product / MILLION
  return variable + operatorFeeConstant
}

function bits(value: bigint, shift: number, width: number): bigint {
  return BigInt.asUintN(width, value >> BigInt(shift))
}

function slotKey(slot: number): Hash {
  return `0x${slot.toString(16).padStart(64, '0')}`
}
