import type { Hash, Hex } from '../../enclave-sim/protocol/types/bytes.ts'

/** What executing a block gives, to be held against its header. */
export interface BlockResult {
  stateRoot: Hash
  receiptsRoot: Hash
  gasUsed: bigint
  logsBloom: Hex
  /** From Prague on. */
  requestsHash?: Hash
}
