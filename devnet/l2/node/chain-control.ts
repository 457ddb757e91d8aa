import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { SignedTransaction, Transaction } from '#protocol/types/transaction'
import type { Divergence, PendingBlock } from './chain-view.ts'
import type { OpenSnapshot } from './open-block/open-snapshot.ts'

/** How the sequencer and the followers of L1 change what everybody reads. All synchronous. */
export interface ChainControl {
  /** The next snapshot of the block on top of `latest`. */
  publishFlashblock(pending: OpenSnapshot): void
  /**
   * A new `latest`, and in the same moment the first snapshot of the block after it, so that a
   * pending block always exists (OPEN-04). Without pre-confirmations there is no `next`.
   * @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed but that the chain waits
   */
  publishSealed(block: Block, next?: OpenSnapshot): void
  /**
   * `target` is `latest` again, reads at it see `stateRoot`, and `next` is the first snapshot after it;
   * what stood on top is gone, and safe and finalized come down with it. Where nothing stood on top
   * only the pending block is dropped. Returns the removed blocks, newest first.
   */
  publishRollback(target: Block, stateRoot: Hash, next?: OpenSnapshot): Block[]
  /**
   * Writes down, where the chain is kept, that reads at this block shall see another state: before anybody
   * hears that it is so.
   * @throws RollbedError HISTORY_NOT_WRITTEN, and nothing has changed
   */
  keepPatch(block: Block, stateRoot: Hash): void
  /** State reads at this block see another state from here on. The block itself stays as it is. */
  patchState(block: Block, stateRoot: Hash): void
  /** The states of blocks below this number are no longer kept, but for that of genesis. */
  forgetStatesBelow(number: bigint): void
  stateRootOf(block: Block | PendingBlock): Hash
  /** Blocks from `since` on are not derivable. Ignored when earlier ones are not already. */
  markDiverged(divergence: Divergence): void
  divergence(): Divergence | undefined
  /** From here on L1 may know the blocks up to this number: a batch with them goes out. */
  markSent(number: bigint): void
  /** The newest number for which L1 may know a block, also one that no longer stands here. */
  lastSent(): bigint
  /** Checks a decoded transaction against the pre-confirmed state and pools it. @throws PoolRejected */
  accept(transaction: Transaction): Promise<Hash>
  /**
   * Pools a transaction again whose block is gone. What it spends may have come to its sender in that
   * block: whether it is there shows when it is executed. Where the pool cannot take it, `discarded`
   * tells why.
   */
  takeBack(transaction: SignedTransaction): Promise<void>
  /** @throws ChainWaits while a block waits for the disk: what users send then is refused */
  assertWritten(): void
  /** @throws BLOCK_NOT_CANONICAL */
  assertCanonical(block: Block): void
  /** The newest block derived from L1 data. Ignored unless it is newer than the present one. */
  markSafe(block: Block): void
  /**
   * L1 dropped what made later blocks safe: this one is the newest again. `finalized` comes down too
   * where it must, for a test may have an L1 drop what it called final.
   */
  unmarkSafe(block: Block): void
  /** The newest block derived from finalized L1 data; it is safe too. */
  markFinalized(block: Block): void
}
