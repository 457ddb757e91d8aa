import type { Hash, Hex } from '#protocol/types/bytes'

/** The fields of L1's JSON that the archive reads; everything else stays as it came. */
export interface L1BlockJson {
  number: Hex
  hash: Hash
  parentHash: Hash
  timestamp: Hex
  transactionsRoot: Hash
  transactions: unknown[]
}

export interface WholeL1BlockJson extends L1BlockJson {
  transactions: L1TransactionJson[]
}

export interface L1TransactionJson {
  hash: Hash
  /** anvil gives blobs with their transaction. */
  blobs?: Hex[]
  blobVersionedHashes?: Hash[]
}

export interface L1ReceiptJson {
  transactionHash: Hash
  logs: L1LogJson[]
}

export interface L1LogJson {
  address: Hex
  topics: Hash[]
}
