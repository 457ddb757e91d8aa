import type { Account } from '../types/account.ts'
import type { Address, Hash } from '../types/bytes.ts'

/**
 * Hears what happens inside a transaction or call, in order. What a hook throws ends the execution
 * and comes out of it; the block or scratch is of no use afterwards.
 */
export interface Tracer {
  /** Before anything is paid. `state` answers for the moment it is asked, until `onEnd` is over. */
  onStart?(transaction: TracedTransaction, state: StateView): void | Promise<void>
  onEnter?(frame: FrameStart): void
  /** Before each opcode; also before the STOP that the end of code stands for. */
  onStep?(step: Step): void | Promise<void>
  /** The step last told of in the frame at this depth could not be paid, or the stack was not fit. */
  onFault?(depth: number, error: string): void
  onExit?(frame: FrameEnd): void
  /** After fees and refunds. Not called when the transaction was refused. */
  onEnd?(outcome: TracedOutcome): void | Promise<void>
}

export interface TracedTransaction {
  from: Address
  /** Of a creation: the address of the new contract. */
  to: Address
  isCreation: boolean
  gas: bigint
  value: bigint
  data: Uint8Array
  /** Whose balance the fee changes. */
  feeRecipients: readonly Address[]
  /** Who signed its authorizations (EIP-7702). */
  authorities: readonly Address[]
}

export interface TracedOutcome {
  status: 0 | 1
  /** After refunds. */
  gasUsed: bigint
  output: Uint8Array
}

export interface StateView {
  account(address: Address): Promise<Pick<Account, 'nonce' | 'balance'> & { code: Uint8Array }>
  storage(address: Address, slot: Hash): Promise<Hash>
}

export type FrameType =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT'

/** A call, a creation, or a selfdestruct, which is told of as a frame of its own without steps. */
export interface FrameStart {
  type: FrameType
  /** 0: the transaction's own. */
  depth: number
  from: Address
  /** Whose code runs; the new contract; the beneficiary. */
  to: Address
  input: Uint8Array
  /** What the frame has, stipend included, intrinsic gas not. */
  gas: bigint
  /** undefined for STATICCALL, which has none. */
  value: bigint | undefined
}

export interface FrameEnd {
  depth: number
  /** Of a creation the code. Of a failed frame only what REVERT gives back. */
  output: Uint8Array
  gasUsed: bigint
  /** In go-ethereum's words. */
  error?: string
}

export interface Step {
  pc: number
  op: number
  opName: string
  /** Before the opcode is paid. */
  gas: bigint
  /** With what a call passes on. */
  cost: bigint
  /** What a call passes on, without the stipend. */
  passedGas: bigint
  /** 1: the transaction's own frame. */
  depth: number
  /** Whose storage the opcode works on. */
  address: Address
  /** Top last. */
  stack: readonly bigint[]
  memory: Uint8Array
  /** What the last inner call gave back. */
  returnData: Uint8Array
  refund: bigint
}

/** A word of the stack as address. */
export function wordToAddress(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}

/** A word of the stack as 32 bytes. */
export function wordToHash(word: bigint): Hash {
  return `0x${word.toString(16).padStart(64, '0')}`
}

/** Memory of 16 MiB costs over 500 million gas, more than any transaction has. */
const PAYABLE_LENGTH = 2n ** 24n

/**
 * A part of memory as an opcode would read it: beyond what there is come zeros. Empty where the
 * opcode cannot be paid anyway.
 */
export function memorySlice(memory: Uint8Array, offset: bigint, length: bigint): Uint8Array {
  const bytes = new Uint8Array(length > PAYABLE_LENGTH ? 0 : Number(length))
  if (offset < BigInt(memory.length)) {
    const start = Number(offset)
    bytes.set(memory.subarray(start, start + bytes.length))
  }
  return bytes
}
