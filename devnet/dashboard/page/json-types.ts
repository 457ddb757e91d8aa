/** What the node's answers look like, as far as the page reads them. */
export type Hex = `0x${string}`

export interface BlockJson {
  /** Null for the block under construction. */
  number: Hex | null
  hash: Hex | null
  parentHash: Hex
  timestamp: Hex
  /** Of blocks of 200 ms alone. */
  timestampMs?: Hex
  gasUsed: Hex
  gasLimit: Hex
  baseFeePerGas: Hex
  miner: Hex
  stateRoot: Hex
  transactions: (Hex | TransactionJson)[]
}

export interface TransactionJson {
  hash: Hex
  type: Hex
  from: Hex
  to: Hex | null
  value: Hex
  nonce: Hex
  gas: Hex
  input: Hex
  blockNumber: Hex | null
  blockHash: Hex | null
  transactionIndex: Hex | null
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  gasPrice?: Hex
}

export interface ReceiptJson {
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  contractAddress: Hex | null
  l1Fee?: Hex
  l1GasUsed?: Hex
  l1GasPrice?: Hex
}

export interface LogJson {
  address: Hex
  topics: Hex[]
  data: Hex
}

/** Source: go-ethereum, callTracer. */
export interface FrameJson {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: FrameJson[]
  logs?: LogJson[]
}

interface AccountStateJson {
  balance?: Hex
  nonce?: number
  code?: Hex
  storage?: Record<Hex, Hex>
}

/** Source: go-ethereum, prestateTracer with diffMode. */
export interface StateDiffJson {
  pre: Record<Hex, AccountStateJson>
  post: Record<Hex, AccountStateJson>
}

/** Source: go-ethereum, the struct logger. */
export interface StepJson {
  pc: number
  op: string
  gas: number
  gasCost: number
  /** 1: the transaction's own frame. */
  depth: number
  error?: string
  /** The top comes last. */
  stack: Hex[]
}
