/**
 * The words every part of the project speaks. Identifiers (hashes, addresses) are lower-case 0x hex
 * strings, payload bytes are Uint8Array, quantities are bigint.
 */

export type Hex = `0x${string}`
/** 32 bytes. */
export type Hash = Hex
/** 20 bytes, lower case. */
export type Address = Hex

/** Which OP upgrade's rules hold, from genesis on. */
export type Fork = 'isthmus' | 'jovian'

/** What fixes the execution rules of one L2 chain. */
export interface ExecutionConfig {
  chainId: bigint
  fork: Fork
}

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

export interface AccessListEntry {
  address: Address
  storageKeys: Hash[]
}

export interface Authorization {
  chainId: bigint
  address: Address
  nonce: bigint
  yParity: bigint
  r: bigint
  s: bigint
}

interface TransactionBase {
  /** EIP-2718 bytes, as they stand in the block. */
  raw: Uint8Array
  hash: Hash
  from: Address
  /** null: contract creation. */
  to: Address | null
  value: bigint
  gas: bigint
  data: Uint8Array
}

/** Types 0 (legacy), 1 (2930), 2 (1559) and 4 (7702). For 0 and 1 both fee fields are the gasPrice. */
export interface SignedTransaction extends TransactionBase {
  type: 0 | 1 | 2 | 4
  /** undefined: a legacy transaction without replay protection. */
  chainId: bigint | undefined
  nonce: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  accessList: AccessListEntry[]
  authorizationList: Authorization[]
  /** As encoded: 27/28 or EIP-155 for legacy, else the parity. */
  v: bigint
  yParity: 0 | 1
  r: bigint
  s: bigint
  /**
   * Sent in the name of an account whose key nobody used, maybe a contract's. Only a devnet's cheats
   * make such transactions; decoding never does.
   */
  isImpersonated?: true
}

/** Type 0x7e: an L1 deposit or the L1-attributes transaction. */
export interface DepositTransaction extends TransactionBase {
  type: 0x7e
  sourceHash: Hash
  mint: bigint
  isSystemTransaction: boolean
}

export type Transaction = SignedTransaction | DepositTransaction

export interface Log {
  address: Address
  topics: Hash[]
  data: Uint8Array
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

/** A header with everything it commits to. */
export interface Block {
  hash: Hash
  header: Header
  transactions: Transaction[]
  receipts: Receipt[]
  /** Bytes of the RLP-encoded block. */
  size: number
}

/**
 * Content-addressed bytes: trie nodes and contract code under their keccak-256. Synchronous, because
 * the trie and the EVM read it in their inner loops. Where values live far away (a witness being
 * collected over RPC), `get` answers undefined and `fetch` brings the value to where `get` finds it.
 */
export interface StateSource {
  /** `kind` is a hint: what the value is meant to be, a trie node unless told. */
  get(hash: Hash, kind?: 'code'): Uint8Array | undefined
  /** @throws PreimageMissing when the value cannot be had. */
  fetch?(hash: Hash, kind: 'node' | 'code', place?: StatePlace): Promise<void>
}

/** What of the state was read or written when a value was missed: it is on the way there. */
export interface StatePlace {
  address: Address
  /** In the account's storage; absent: the account itself, or its code. */
  slot?: Hash
}

export interface StateStore extends StateSource {
  put(hash: Hash, value: Uint8Array): void
}

/** Genesis allocation: lower-case address to account. */
export type Alloc = Record<Address, AllocAccount>

export interface AllocAccount {
  balance?: bigint
  nonce?: bigint
  code?: Hex
  /** 32-byte slot to 32-byte value, both lower-case 0x hex. */
  storage?: Record<Hash, Hash>
}

export interface Account {
  nonce: bigint
  balance: bigint
  storageRoot: Hash
  codeHash: Hash
}
