import type { Logger } from 'pino'
import { createDerivation, type Derivation } from '../../enclave-sim/derivation/derivation.ts'
import { DerivationError } from '../../enclave-sim/derivation/derivation-error.ts'
import type { L1Source } from '../../enclave-sim/derivation/l1-source.ts'
import { l2Parent } from '../../enclave-sim/derivation/l2-parent.ts'
import type { RollupConfig } from '../../enclave-sim/derivation/rollup-config.ts'
import type { Block, Hash } from '../../enclave-sim/execution/types.ts'
import type { ChainView } from '../node/chain-view.ts'
import { findDifference } from './find-difference.ts'

export interface FollowerOptions {
  chain: ChainView
  l1: L1Source
  config: RollupConfig
  onSafe(block: Block): void
  onFinalized(block: Block): void
  logger: Logger | undefined
}

/** Derives the chain from L1 and holds the sequencer's blocks against it. */
export class Follower {
  readonly #options: FollowerOptions
  #derivation: Derivation | undefined
  #head: Hash | undefined
  #safe: Block
  /** Safe and not finalized blocks, with the L1 block that made them safe. */
  #unfinalized: { block: Block; l1Number: bigint }[] = []
  #complainedAbout: string | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#safe = options.chain.finalized()
  }

  /** Goes on to this L1 head; after a reorg from the finalized block anew. */
  async follow(head: Hash): Promise<void> {
    try {
      await this.#advanceTo(head)
    } catch (error) {
      if (!(error instanceof DerivationError) || error.code !== 'L1_REORGED') throw error
      this.#options.logger?.warn(error, 'deriving again from the finalized block')
      this.restart()
      await this.#advanceTo(head)
    }
    if (this.#derivation) await this.#derive(this.#derivation)
  }

  /** Everything that came from L1 blocks up to this one is final. */
  finalize(l1Number: bigint): void {
    let newest: Block | undefined
    while (this.#unfinalized[0] && this.#unfinalized[0].l1Number <= l1Number) {
      newest = this.#unfinalized.shift()?.block
    }
    if (newest) this.#options.onFinalized(newest)
  }

  /** Forgets what was derived beyond the finalized block. */
  restart(): void {
    this.#derivation = undefined
    this.#head = undefined
    this.#safe = this.#options.chain.finalized()
    this.#unfinalized = []
  }

  async #advanceTo(head: Hash): Promise<void> {
    if (this.#derivation) {
      if (head !== this.#head) await this.#derivation.extendL1(head)
    } else {
      const { chain, config, l1 } = this.#options
      this.#derivation = await createDerivation({
        config,
        l1,
        l1Head: head,
        parent: l2Parent(config, this.#safe),
        l2Ancestor: async (number) => {
          const block = chain.blockByNumber(number)
          return (
            block && { hash: block.hash, l1OriginNumber: l2Parent(config, block).l1Origin.number }
          )
        },
      })
    }
    this.#head = head
  }

  async #derive(derivation: Derivation): Promise<void> {
    const { chain, onSafe } = this.#options
    for (;;) {
      const payload = await derivation.next()
      if (derivation !== this.#derivation) return
      const block = payload && chain.blockByNumber(this.#safe.header.number + 1n)
      // Without a block the payload waits: the sequencer has not sealed it yet.
      if (!block || this.#isDiverged(block)) return
      const difference =
        block.header.parentHash === this.#safe.hash
          ? findDifference(payload.attributes, block)
          : { field: 'parentHash', derived: this.#safe.hash, built: block.header.parentHash }
      if (difference) {
        this.#complain(block, difference)
        // L1 or the sequencer may still change its mind: try anew with what they say then.
        return this.restart()
      }
      derivation.accept({ ...block.header, hash: block.hash })
      this.#safe = block
      this.#unfinalized.push({ block, l1Number: payload.l1InclusionNumber })
      onSafe(block)
    }
  }

  /** After a cheat the chain says itself that L1 alone does not give its blocks: `safe` stays. */
  #isDiverged(block: Block): boolean {
    const { chain, logger } = this.#options
    const divergence = chain.divergence?.()
    if (!divergence || block.header.number < divergence.since) return false
    if (this.#complainedAbout !== block.hash) logger?.info(divergence, 'the chain left L1')
    this.#complainedAbout = block.hash
    return true
  }

  #complain(block: Block, difference: object): void {
    if (this.#complainedAbout === block.hash) return
    this.#complainedAbout = block.hash
    const number = block.header.number
    this.#options.logger?.error(
      { number, hash: block.hash, ...difference },
      'block is not derivable',
    )
  }
}
