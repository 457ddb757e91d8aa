import {
  createDerivation,
  type Derivation,
  type DerivedPayload,
  type L2Parent,
} from '#protocol/derivation/derivation'
import type { L1Source } from '#protocol/derivation/l1-source'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainView } from '../node/chain-view.ts'

/** L1 blocks that may be dropped at once; beyond them derivation begins at the finalized block. */
const REORG_DEPTH = 1_000

export interface FollowerOptions {
  l1: L1Source
  config: RollupConfig
  /** Holds the blocks that were taken, and where derivation begins: its finalized one. */
  chain: Pick<ChainView, 'blockByNumber' | 'finalized'>
  /**
   * The block that a payload makes on top of `parent`. Undefined: none yet, it is asked for again.
   * @param reject the payload cannot be executed; gives what to execute instead
   */
  take(
    payload: DerivedPayload,
    parent: Block,
    reject: () => DerivedPayload,
  ): Promise<Block | undefined>
  onSafe(block: Block): void
  onFinalized(block: Block): void
  /** L1 was reorganised and no longer says what comes after this block. */
  onRewind(block: Block): void
}

/** Derives the chain from L1, block by block. Its methods must not overlap. */
export class Follower {
  readonly #options: FollowerOptions
  #derivation: Derivation | undefined
  #safe: Block
  /** Safe and not finalized blocks, with the L1 block that made them safe. */
  #unfinalized: { block: Block; l1Number: bigint }[] = []
  /** What the chain took back since derivation last looked. */
  #forgottenAfter: bigint | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#safe = options.chain.finalized()
  }

  /** The newest block that follows from L1. */
  get safe(): Block {
    return this.#safe
  }

  /** Takes all that L1 gives up to this head. */
  async follow(l1Head: Hash): Promise<void> {
    const { take, onSafe } = this.#options
    const derivation = await this.#moveTo(l1Head)
    const reject = () => derivation.rejectTransactions()
    for (;;) {
      const payload = await derivation.next()
      if (!payload || this.#forgottenAfter !== undefined) return
      const block = await take(payload, this.#safe, reject)
      if (!block || this.#forgottenAfter !== undefined) return
      derivation.accept({ ...block.header, hash: block.hash })
      this.#safe = block
      this.#unfinalized.push({ block, l1Number: payload.l1InclusionNumber })
      onSafe(block)
    }
  }

  /** Everything that came from L1 blocks up to this one is final. */
  finalize(l1Number: bigint): void {
    let newest: Block | undefined
    while (this.#unfinalized[0] && this.#unfinalized[0].l1Number <= l1Number) {
      newest = this.#unfinalized.shift()?.block
    }
    if (newest) this.#options.onFinalized(newest)
  }

  /** The chain no longer has what came after this block. May come while `follow` is under way. */
  forgetAfter(number: bigint): void {
    if (number >= (this.#forgottenAfter ?? this.#safe.header.number)) return
    this.#forgottenAfter = number
    this.#unfinalized = this.#unfinalized.filter(({ block }) => block.header.number <= number)
  }

  async #moveTo(l1Head: Hash): Promise<Derivation> {
    this.#forget()
    const { onRewind } = this.#options
    try {
      const back = await this.#derivation?.moveTo(l1Head)
      if (back && this.#goBack(back)) onRewind(this.#safe)
    } catch (error) {
      if (Object(error).code !== 'L1_REORGED') throw error
      this.#beginAnew()
      onRewind(this.#safe)
    }
    this.#derivation ??= await this.#begin(l1Head)
    return this.#derivation
  }

  #forget(): void {
    if (this.#forgottenAfter === undefined) return
    const back = this.#derivation?.rewind(this.#forgottenAfter)
    this.#forgottenAfter = undefined
    if (back) this.#goBack(back)
    else this.#beginAnew()
  }

  /** @returns whether there was anything to take back */
  #goBack({ number, hash }: L2Parent): boolean {
    if (hash === this.#safe.hash) return false
    const block = this.#options.chain.blockByNumber(number)
    if (!block) this.#beginAnew()
    else this.#safe = block
    this.#unfinalized = this.#unfinalized.filter(({ block }) => block.header.number <= number)
    return true
  }

  #beginAnew(): void {
    this.#derivation = undefined
    this.#unfinalized = []
    this.#safe = this.#options.chain.finalized()
  }

  #begin(l1Head: Hash): Promise<Derivation> {
    const { chain, config, l1 } = this.#options
    return createDerivation({
      config,
      l1,
      l1Head,
      parent: l2Parent(config, this.#safe),
      l2Ancestor: async (number) => {
        const block = chain.blockByNumber(number)
        const origin = block && l2Parent(config, block).l1Origin
        return origin && { hash: block.hash, l1OriginNumber: origin.number }
      },
      reorgDepth: REORG_DEPTH,
    })
  }
}
