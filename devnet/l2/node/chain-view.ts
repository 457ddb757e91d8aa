import type { RollbedError } from '#protocol/errors/rollbed-error'
import type { EngineFault } from '#protocol/evm/engine-fault'
import type { Account } from '#protocol/types/account'
import type { Block, Header, Receipt } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { SignedTransaction, Transaction } from '#protocol/types/transaction'

/**
 * The pre-confirmed block as one flashblock left it. Immutable: the sequencer publishes a new one
 * every 200 ms (RPC-PEND-10) and never changes an old one, so every read is of one snapshot.
 */
export interface PendingBlock {
  /** Position in the block: 0 holds the deposits, users follow from 1. */
  flashblockIndex: number
  /** As if the block ended here, with real roots (RPC-PEND-04, OPEN-06…08). */
  header: Header
  transactions: readonly Transaction[]
  receipts: readonly Receipt[]
  /** Index of the first transaction that this flashblock added. */
  firstNewTransaction: number
  size: number
}

export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'

export interface TransactionLocation {
  /** A sealed block, or the pending one. */
  block: Block | PendingBlock
  index: number
}

/** Since when the chain is not what L1 says it must be: cheats bend rules that derivation keeps. */
export interface Divergence {
  /** Number of the first block that nobody can derive from L1. */
  since: bigint
  /** What was changed in it: `state`, `timestamp`, `impersonation` … */
  cause: string
}

/** Everything RPC may know of the chain. Reads but for one are synchronous look-ups of published data. */
export interface ChainView {
  readonly chainId: bigint
  readonly store: StateStore
  latest(): Block
  safe(): Block
  finalized(): Block
  /** undefined on an endpoint without pre-confirmations. */
  pending(): PendingBlock | undefined
  blockByNumber(number: bigint): Block | undefined
  blockByHash(hash: Hash): Block | undefined
  /** What the EVM answers for it; of a fork also below its first block, where the other chain is asked. */
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Numbers of the sealed blocks from `first` to `last` whose bloom may hold what is looked for, in order. */
  numbersWithLogs(first: bigint, last: bigint, mayHold: (bloom: Hex) => boolean): bigint[]
  /** Whether the state of this block was kept once, and is no longer. */
  isStatePruned(number: bigint): boolean
  /** Sealed first, then pre-confirmed. */
  findTransaction(hash: Hash): TransactionLocation | undefined
  /** In the pool and not yet pre-confirmed. */
  pooledTransaction(hash: Hash): Transaction | undefined
  /** The nonce after a sender's executable pooled transactions; undefined when it has none. */
  nextPoolNonce(sender: Address): bigint | undefined
  /** Those that the next block could hold, and those that wait for a nonce before them. */
  poolContent(): Record<'pending' | 'queued', SignedTransaction[]>
  /**
   * The state that reads at a block see: its own, or what cheats made of it afterwards.
   */
  stateRootOf(block: Block | PendingBlock): Hash
  /** undefined as long as every block follows from L1. */
  divergence(): Divergence | undefined
  /** State reads at a root, plain look-ups in the trie. */
  account(stateRoot: Hash, address: Address): Account | undefined
  code(codeHash: Hash): Uint8Array
  storage(stateRoot: Hash, address: Address, slot: Hash): Hash
  /**
   * Decodes, checks against the pre-confirmed state and pools.
   * @throws TransactionMalformed, PoolRejected (its message is geth's), ChainWaits
   */
  submit(raw: Uint8Array): Promise<Hash>
  on<K extends keyof ChainEvents>(event: K, listener: (value: ChainEvents[K]) => void): () => void
}

export interface ChainEvents {
  /**
   * A flashblock was published. After a seal, `sealed` comes first, and by then pending() already is
   * flashblock 0 of the next block.
   */
  flashblock: PendingBlock
  /** A block was sealed and is `latest` now. */
  sealed: Block
  /** From the block about to be sealed on, the chain is not derivable. Once, until blocks are removed. */
  diverged: Divergence
  /** Reads at a block see another state from here on. */
  patched: { block: Block; stateRoot: Hash }
  /** Sealed blocks left the canonical chain, newest first. */
  reorg: { removed: Block[] }
  /** A pre-confirmed block was dropped without being sealed. */
  dropped: PendingBlock
  pooled: Transaction
  /**
   * Left the pool without standing in a block (replaced, evicted, found invalid when executed), or went
   * with its block and does not wait again.
   */
  discarded: { transaction: SignedTransaction; reason: RollbedError }
  /** The EVM broke in a deposit or a system call of a block, which counts as failed; the block is sealed. */
  broke: { number: bigint; fault: EngineFault }
  safe: Block
  finalized: Block
  /** Why the newest block cannot be written, from when on it waits; undefined: it is written. */
  waits: RollbedError | undefined
}

export function isSealed(block: Block | PendingBlock): block is Block {
  return 'hash' in block
}
