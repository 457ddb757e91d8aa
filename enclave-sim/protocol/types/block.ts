import type { Address, Hash, Hex } from './bytes.ts'
import type { Transaction } from './transaction.ts'

/** An OP block header: the 21 fields of a Prague header, as OP fills them. */
export interface Header {
  parentHash: Hash
  sha3Uncles: Hash
  miner: Address
  stateRoot: Hash
  transactionsRoot: Hash
  receiptsRoot: Hash
  /** 256 bytes. */
  logsBloom: Hex
  difficulty: bigint
  number: bigint
  gasLimit: bigint
  gasUsed: bigint
  /** Seconds. */
  timestamp: bigint
  /** Holocene: 00 ‖ denominator u32 ‖ elasticity u32. Jovian: 01 ‖ the same ‖ minBaseFee u64. */
  extraData: Hex
  /** prevRandao of the L1 origin. */
  mixHash: Hash
  nonce: Hex
  baseFeePerGas: bigint
  /** Isthmus: storage root of the L2ToL1MessagePasser. */
  withdrawalsRoot: Hash
  /** Jovian: the DA footprint. Isthmus: 0. */
  blobGasUsed: bigint
  excessBlobGas: bigint
  /** parentBeaconBlockRoot of the L1 origin. */
  parentBeaconBlockRoot: Hash
  /** sha256 of nothing: OP has no requests. */
  requestsHash: Hash
}

/** What derivation (or the sequencer) says of a block before it is executed. */
export interface PayloadAttributes {
  timestamp: bigint
  prevRandao: Hash
  feeRecipient: Address
  parentBeaconBlockRoot: Hash
  gasLimit: bigint
  /** EIP-1559 parameters that go into extraData and rule the *next* block's base fee. */
  eip1559: { denominator: number; elasticity: number }
  /** Jovian only; wei. */
  minBaseFee: bigint
  /** Signed or deposit transactions in EIP-2718 form, in block order. */
  transactions: Uint8Array[]
}

export interface Log {
  address: Address
  topics: Hash[]
  data: Uint8Array
}

export interface L1FeeFields {
  l1GasPrice: bigint
  l1BlobBaseFee: bigint
  l1BaseFeeScalar: bigint
  l1BlobBaseFeeScalar: bigint
  /** Estimated gas, as receipts report it. */
  l1GasUsed: bigint
  l1Fee: bigint
  operatorFeeScalar: bigint
  operatorFeeConstant: bigint
  /** Jovian: this transaction's DA footprint, and the scalar used. */
  daFootprint: bigint
  daFootprintGasScalar: bigint
}

/** The outcome of one transaction in its block. */
export interface Receipt {
  type: Transaction['type']
  status: 0 | 1
  cumulativeGasUsed: bigint
  gasUsed: bigint
  logsBloom: Hex
  logs: Log[]
  /** Set when a contract was created (also by a reverted creation). */
  contractAddress: Address | null
  effectiveGasPrice: bigint
  /** Deposits only: the sender's nonce before execution, and version 1 (Canyon). */
  depositNonce?: bigint
  depositReceiptVersion?: bigint
  /** Signed transactions only: the part of the fee that pays for L1 and the operator. */
  l1?: L1FeeFields
  /** Return data of the outermost call; what a pre-confirmation can tell, never part of the root. */
  output: Uint8Array
}

/** A header with everything it commits to. */
export interface Block {
  hash: Hash
  header: Header
  transactions: Transaction[]
  receipts: Receipt[]
  /** Bytes of the RLP-encoded block. */
  size: number
}
