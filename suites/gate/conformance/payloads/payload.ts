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
  storage: readonly number[]
}

export interface PayloadBlock {
  /** New code for one contract before the calls, in blocks after the first. */
  replaced: { contract: number; program: Program } | undefined
  calls: readonly PayloadCall[]
}

export interface PayloadCall {
  sender: number
  to: number
  /** Wei. */
  value: number
  data: Hex
  gas: number
}
