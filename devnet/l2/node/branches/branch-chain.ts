import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { Chain, type ChainOptions } from '../chain/chain.ts'
import { type ChainView, isSealed, type PendingBlock } from '../chain-view.ts'
import type { BranchHistory } from './branch-history.ts'

/** A chain that reads the states below its base from the chain that it left. */
export class BranchChain extends Chain {
  readonly #trunk: ChainView
  readonly #base: bigint
  readonly #history: BranchHistory

  constructor(options: Omit<ChainOptions, 'blocks'> & { trunk: ChainView; blocks: BranchHistory }) {
    super(options)
    this.#trunk = options.trunk
    this.#base = options.heads.latest.header.number
    this.#history = options.blocks
  }

  override async blockHash(number: bigint): Promise<Hash | undefined> {
    return (await super.blockHash(number)) ?? (await this.#trunk.blockHash(number))
  }

  override isStatePruned(number: bigint): boolean {
    if (number > this.#base) return super.isStatePruned(number)
    if (number === this.#base) return false
    return this.#history.hasLost(number) || this.#trunk.isStatePruned?.(number) === true
  }

  override stateRootOf(block: Block | PendingBlock): Hash {
    const own = super.stateRootOf(block)
    const { number, stateRoot } = block.header
    if (own !== stateRoot || number >= this.#base || !isSealed(block)) return own
    return this.#trunk.stateRootOf?.(block) ?? own
  }
}
