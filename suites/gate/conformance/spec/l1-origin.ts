import { expectBytes } from '../matchers/expect-hex.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { wholeTransactions } from './base-time.ts'

/** Predeploy that each block of an OP chain writes first (OP spec, "L1 attributes predeployed contract"). */
export const L1_BLOCK = '0x4200000000000000000000000000000000000015'
/** `hash()`: the L1 origin of the block. */
export const ORIGIN_CALL = { to: L1_BLOCK, data: '0x09bd5a60' } as const
/** The slot that it is in. */
export const ORIGIN_SLOT: Hex = `0x${'2'.padStart(64, '0')}`
/** The same as a quantity: a position may be written either way (OPEN-37). */
export const SHORT_ORIGIN_SLOT: Hex = '0x2'

/** What the first transaction of a block tells of L1. */
export interface L1Origin {
  sequenceNumber: bigint
  /** Seconds. */
  timestamp: bigint
  number: bigint
  hash: Hex
}

/**
 * The packed calldata of Ecotone and later: selector, two scalars of 4 bytes, then sequence number, time and
 * number of the origin by 8 bytes each, its base fee and blob base fee, and its hash (OP specification, "L1
 * attributes deposited transaction calldata").
 *
 * @throws CaseFailure where it is too short
 */
export function l1OriginOf(block: JsonObject): L1Origin {
  const at = 'transactions[0].input'
  const input = expectBytes(wholeTransactions(block)[0]?.input, at)
  const bytes = (from: number, size: number): Hex =>
    `0x${input.slice(2 + from * 2, 2 + (from + size) * 2) || '0'}`
  return {
    sequenceNumber: BigInt(bytes(12, 8)),
    timestamp: BigInt(bytes(20, 8)),
    number: BigInt(bytes(28, 8)),
    hash: bytes(100, 32),
  }
}
