import type { Address, Hash } from '../types/bytes.ts'

/** A message for the engine: one call or creation and all that follows from it. */
export interface EngineMessage {
  /** 20 bytes each. Of a creation, `target` is where the new contract will be. */
  caller: Uint8Array
  target: Uint8Array
  isCreation: boolean
  value: bigint
  /** Without intrinsic gas. */
  gas: bigint
  /** Init code of a creation. */
  input: Uint8Array
}

/** What is the same for all messages of a block. */
export interface EngineBlock {
  /** 20 bytes. */
  coinbase: Uint8Array
  timestamp: bigint
  number: bigint
  /** 32 bytes. */
  prevRandao: Uint8Array
  gasLimit: bigint
  chainId: bigint
  baseFee: bigint
  blobBaseFee: bigint
}

/** What is the same for all frames of a message. */
export interface EngineContext {
  /** Told by identity: the same one is not read again. */
  block: EngineBlock
  /** 20 bytes. */
  origin: Uint8Array
  gasPrice: bigint
  /** Addresses (20 bytes, at most 64) that the host runs itself; warm from the start. */
  precompiles: readonly Uint8Array[]
  /** Whether there are the opcodes that came with Osaka: CLZ (EIP-7939). */
  isOsaka?: boolean
  /** They are not warm: the host has moved them. */
  precompilesAreMoved?: boolean
  /** Log value transfers as an ERC-20 would, from 0xeeee…ee (eth_simulateV1). */
  logsTransfers?: boolean
}

/** A frame of the engine, as it began. */
export interface EngineFrame {
  /** Its opcode: 0xf1 or 0xf0 for the first. */
  kind: number
  depth: number
  /** 20 bytes each: who calls, whose storage is used, whose code was called. */
  caller: Uint8Array
  account: Uint8Array
  target: Uint8Array
  value: bigint
  gas: bigint
  input: Uint8Array
  /** Whether there is anything to run; a precompile has no code. */
  hasCode: boolean
}

/** How a frame ended. */
export interface EngineFrameEnd {
  depth: number
  exit: number
  gasUsed: bigint
  output: Uint8Array
  opcode: number
}

/** An opcode that is about to run. */
export interface EngineStep {
  pc: number
  opcode: number
  gas: bigint
  /** Without what a call passes on. */
  cost: bigint
  depth: number
  refund: bigint
}

/** What a message has changed, as it is now; each in the order in which it did. */
export interface Changes {
  accounts: ChangedAccount[]
  /** Also of accounts that are not named. */
  slots: ChangedSlot[]
}

export interface ChangedAccount {
  address: Address
  fields: { nonce: bigint; balance: bigint }
  /** Its new code; undefined where that is as it was. */
  code: Uint8Array | undefined
  /** Created and destroyed by the message (EIP-6780): it is to be removed. */
  isDestroyed: boolean
}

export interface ChangedSlot {
  address: Address
  key: Hash
  /** Big-endian without leading zeros. */
  value: Uint8Array
}
