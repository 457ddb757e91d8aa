import type { Receipt } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'

/** What executing a block gives, to be held against its header. */
export interface BlockResult {
  stateRoot: Hash
  receiptsRoot: Hash
  gasUsed: bigint
  logsBloom: Hex
  /** One for each transaction; what L2 has and L1 has not is empty. */
  receipts: Receipt[]
  /** From Prague on. */
  requestsHash?: Hash
}
