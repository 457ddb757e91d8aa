import type { Hex } from '#protocol/types/bytes'

/** All that it takes to execute a block without a state, as reth and go-ethereum give it. */
export interface ExecutionWitness {
  /** Trie nodes of accounts and storage. */
  state: Hex[]
  codes: Hex[]
  /** Addresses and slots: what the tries' keys are the hashes of. */
  keys: Hex[]
  /** RLP of ancestors that the block has asked for, the parent last. */
  headers: Hex[]
}
