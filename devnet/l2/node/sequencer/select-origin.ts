import type { L1Header } from '#protocol/derivation/l1-header'

export interface OriginSelection {
  origin: L1Header
  /** false: the block ran too far ahead of L1 and may hold nothing but its attributes deposit. */
  allowsTransactions: boolean
}

export interface SelectOriginParameters {
  /** Origin of the block before. */
  parent: { origin: L1Header }
  /** The L1 block after the parent's origin, once it is known. */
  next: L1Header | undefined
  /** Number of the newest known L1 block. */
  l1Head: bigint
  /** Seconds; of the block to be built. */
  timestamp: bigint
  /** Seconds. */
  maxSequencerDrift: bigint
  /** L1 blocks that must lie on top of an origin, so that a small L1 reorg cannot touch it. */
  confDepth: bigint
}

/**
 * The L1 origin of an L2 block: one L1 block further as soon as there is one that is not in the L2
 * block's future. Beyond the drift the depth no longer counts, because only a new origin can bring
 * transactions back.
 * Source: OP specs, Derivation, "Batch Queue" (the checks on a batch's epoch and drift).
 */
export function selectOrigin(parameters: SelectOriginParameters): OriginSelection {
  const { parent, next, l1Head, timestamp, maxSequencerDrift, confDepth } = parameters
  const drifted = timestamp > parent.origin.timestamp + maxSequencerDrift
  const usable = next && next.parentHash === parent.origin.hash && next.timestamp <= timestamp
  if (usable && (drifted || next.number + confDepth <= l1Head)) {
    return { origin: next, allowsTransactions: !late(next) }
  }
  return { origin: parent.origin, allowsTransactions: !drifted }

  function late(origin: L1Header): boolean {
    return timestamp > origin.timestamp + maxSequencerDrift
  }
}
