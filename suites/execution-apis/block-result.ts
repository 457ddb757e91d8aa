import type { Receipt } from '../../enclave-sim/protocol/types/block.ts'
import type { Hash, Hex } from '../../enclave-sim/protocol/types/bytes.ts'

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
