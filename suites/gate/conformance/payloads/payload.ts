import type { Hex } from '../wire/hex.ts'
import type { Program } from './program.ts'

/** A simulation of which the gate knows every value: all accounts that it touches are put in place by it. */
export interface Payload {
  /** As they stand in `CONTRACTS`. */
  contracts: readonly Contract[]
  blocks: readonly PayloadBlock[]
}

export interface Contract {
  program: Program
  /** Wei. */
  balance: number
  nonce: number
  /** Values of its first slots. */
  storage: readonly bigint[]
}

export interface PayloadBlock {
  /** New code for one contract before the calls, in blocks after the first. */
  replaced: { contract: number; program: Program } | undefined
  /** New storage of one contract likewise: of these slots, or of these alone. */
  rewritten?: { contract: number; slots: readonly bigint[]; isWhole: boolean } | undefined
  /** Block values; those that are there are overridden. */
  header?: PayloadHeader
  calls: readonly PayloadCall[]
}

export interface PayloadCall {
  sender: number
  to: number
  /** Wei. */
  value: bigint
  data: Hex
  gas: number
}

/** What code can read of its block. */
export interface PayloadHeader {
  number: bigint
  timestamp: bigint
  /** The others have no name in the spec. */
  others?: { gasLimit: bigint; baseFeePerGas: bigint; feeRecipient: Hex; prevRandao: Hex }
}
