import type { L1Header } from '#protocol/derivation/l1-header'
import type { L1Receipt } from '#protocol/derivation/l1-source'
import type { Hash } from '#protocol/types/bytes'

export interface L1Block {
  header: L1Header
  receipts: L1Receipt[]
}

/**
 * L1 as far as it is known here already: the sequencer never waits for L1. After an L1 reorg `block`
 * gives what L1 has now, be it other than what the chain was built on.
 */
export interface L1View {
  /** Number of the newest block that `block` gives. */
  head(): bigint
  block(number: bigint): L1Block | undefined
  /**
   * The chain goes on from this origin again: it and what follows are to be known, forgotten or not.
   * @throws L1_ORIGIN_MISSING
   */
  recall(origin: { number: bigint; hash: Hash }): Promise<void>
  /**
   * Before `recall` of an origin to which a snapshot leads back: what was forgotten since is taken from
   * memory, as far as it is there and L1 was not reorganised meanwhile.
   */
  remember(origin: { number: bigint; hash: Hash }): void
  /** Blocks below this number are not needed any more. */
  forget(below: bigint): void
}
