import type { Logger } from 'pino'
import type { DerivedPayload } from '#protocol/derivation/derivation'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { FollowerOptions } from '../follower/follower.ts'
import type { ChainView } from '../node/chain-view.ts'
import { findDifference } from './find-difference.ts'

/**
 * Puts this block after `parent` in the chain, in place of what stands there.
 * @returns undefined when a transaction may not stand in it: then nothing has changed
 */
export type AdoptBlock = (
  parent: Block,
  attributes: PayloadAttributes,
) => Promise<Block | undefined>

export interface CompareBlocksOptions {
  chain: ChainView
  /** Without it a block that is not derivable stays, and `safe` stands still before it. */
  adopt?: AdoptBlock | undefined
  logger: Logger | undefined
}

/**
 * Takes the sequencer's own blocks where they have the attributes that were derived. Nothing is
 * executed again: the same executor makes the same block of the same attributes, which a follower of
 * its own shows in suites/system/derivation. Where L1 says otherwise, L1 is right (OP specs, Derivation,
 * "Engine Queue": consolidation).
 */
export function compareBlocks(options: CompareBlocksOptions): FollowerOptions['take'] {
  const { chain, adopt, logger } = options
  /** Blocks are looked at a second time first: the chain or our head of L1 may be changing. */
  let suspect: string | undefined
  let complainedAbout: string | undefined

  /** After a cheat the chain says itself that L1 alone does not give its blocks: `safe` stays. */
  function isDiverged(block: Block): boolean {
    const divergence = chain.divergence()
    return divergence !== undefined && block.header.number >= divergence.since
  }

  function isSuspect(block: Block, { attributes }: DerivedPayload): boolean {
    const difference = findDifference(attributes, block)
    if (!difference) return false
    if (suspect === block.hash && complainedAbout !== block.hash) {
      complainedAbout = block.hash
      const { number } = block.header
      logger?.error({ number, hash: block.hash, ...difference }, 'block is not derivable')
    }
    return true
  }

  /** The newest block that L1 had its way with: its next ones are taken as they come. */
  let adopted: string | undefined
  return async (payload, parent, reject) => {
    const block = chain.blockByNumber(parent.header.number + 1n)
    if (block && block.header.parentHash !== parent.hash) return undefined
    if (block && isDiverged(block)) return undefined
    if (block && !isSuspect(block, payload)) return block
    if (adopted !== parent.hash) {
      // Without a block the payload waits: the sequencer has not sealed it yet.
      if (!block) return undefined
      const isConfirmed = suspect === block.hash
      suspect = block.hash
      if (!isConfirmed) return undefined
    }
    if (!adopt) return undefined
    const taken =
      (await adopt(parent, payload.attributes)) ?? (await adopt(parent, reject().attributes))
    adopted = taken?.hash
    return taken
  }
}
