import type { Logger } from 'pino'
import { l2Parent } from '../../../enclave-sim/derivation/l2-parent.ts'
import type { RollupConfig } from '../../../enclave-sim/derivation/rollup-config.ts'
import { RollbedError } from '../../../enclave-sim/errors/rollbed-error.ts'
import type { Block, Hash } from '../../../enclave-sim/execution/types.ts'
import type { ChainControl } from '../chain/chain-control.ts'
import type { ChainView, PendingBlock } from '../chain-view.ts'
import { type BlockConditions, lastingConditions } from './block-conditions.ts'
import { flashblockShare } from './flashblock-share.ts'
import type { L1View } from './l1-view.ts'
import { Payload, type PayloadContext, type StateEdit } from './payload.ts'
import { type ChainPosition, planBlock } from './plan-block.ts'

export interface BuildingSiteOptions {
  config: RollupConfig
  chain: ChainControl & Pick<ChainView, 'latest' | 'blockByNumber'>
  payloads: Omit<PayloadContext, 'blockHash'>
  l1: L1View
  /** Where the chain stands with its newest block. */
  position: ChainPosition
  /** false: nothing is published but sealed blocks. */
  preconfirmations: boolean
  /** L1 blocks on top of an origin. */
  confDepth: bigint
  logger?: Logger | undefined
}

/**
 * Where the next block is built: on the newest one, from L1 and the pool. Knows no time. One step at
 * a time: the sequencer sees to that.
 */
export class BuildingSite {
  /** What cheats prescribe; seen when a block is opened. */
  conditions: BlockConditions = {}
  /** Cheats moved the time: that L1 cannot follow must not keep transactions out. */
  ignoresDrift = false
  readonly #options: BuildingSiteOptions
  readonly #context: PayloadContext
  #position: ChainPosition
  #payload: Payload | undefined
  /** The next block to be sealed replaces one that L1 may know already. */
  #replaces = false

  constructor(options: BuildingSiteOptions) {
    const { chain, payloads } = options
    this.#options = options
    this.#position = options.position
    this.#context = {
      ...payloads,
      blockHash: async (number) => chain.blockByNumber(number)?.hash,
    }
  }

  /** Timestamp of the block being built, in seconds; undefined when none could be opened. */
  get timestamp(): bigint | undefined {
    return this.#payload?.plan.attributes.timestamp
  }

  /** The payload being built; opened now if that failed before. */
  async current(): Promise<Payload> {
    const { chain, preconfirmations } = this.#options
    if (this.#payload) return this.#payload
    const { payload, pending } = await this.#open(chain.latest())
    if (preconfirmations) chain.publishFlashblock(pending)
    return payload
  }

  /** Executes pool transactions up to the share of a flashblock, and publishes the result. */
  async flashblock(slot: number, slots: number, isOver: () => boolean): Promise<PendingBlock> {
    const { chain, preconfirmations } = this.#options
    const payload = await this.current()
    const share = flashblockShare(payload.plan.attributes.gasLimit, slot, slots)
    await payload.fill({
      gas: share,
      // OP spec, Jovian: the footprint's limit is the gas limit.
      daFootprint: share,
      ignoresDrift: this.ignoresDrift,
      isOver,
    })
    const pending = await payload.snapshot()
    if (preconfirmations) chain.publishFlashblock(pending)
    return pending
  }

  /** Seals what is pre-confirmed and opens the next block. */
  async seal(): Promise<Block> {
    const { chain, logger, preconfirmations } = this.#options
    const payload = await this.current()
    const block = await payload.seal()
    const bent = payload.bent() ?? (this.#replaces ? 'rollback' : undefined)
    this.#position = payload.plan.position
    this.#payload = undefined
    this.#replaces = false
    this.conditions = lastingConditions(this.conditions)
    const next = await this.#open(block).catch((error: unknown): undefined => {
      logger?.error(error, 'next block not opened')
    })
    if (bent) chain.markDiverged({ since: block.header.number, cause: bent })
    chain.publishSealed(block, preconfirmations ? next?.pending : undefined)
    return block
  }

  /**
   * Changes the state that is read at `latest` and at `pending`. Pre-confirmed transactions keep
   * their outcome.
   */
  async edit(edit: StateEdit): Promise<void> {
    const { chain, payloads, preconfirmations } = this.#options
    const payload = await this.current()
    const latest = chain.latest()
    const { store, executor } = payloads
    const scratch = executor.openScratch({ store, stateRoot: chain.stateRootOf(latest) })
    await edit(scratch)
    const stateRoot = await scratch.commit()
    await payload.edit(edit)
    const pending = await payload.snapshot()
    chain.patchState(latest, stateRoot)
    if (preconfirmations) chain.publishFlashblock(pending)
  }

  /** Opens the block anew, so that it sees the conditions. What it held of the pool's is dropped. */
  async reopen(): Promise<void> {
    const { chain } = this.#options
    await this.#restart(chain.latest(), chain.stateRootOf(chain.latest()), this.#position)
  }

  /**
   * Goes back to an older block, and to a state that reads saw there.
   * @returns the blocks that are gone, newest first
   * @throws L1_ORIGIN_MISSING
   */
  async rollback(target: Block, stateRoot: Hash): Promise<Block[]> {
    const removed = await this.#restart(target, stateRoot, await this.#positionOf(target))
    this.#replaces ||= removed.length > 0
    return removed
  }

  async #restart(target: Block, stateRoot: Hash, position: ChainPosition): Promise<Block[]> {
    const { chain, preconfirmations } = this.#options
    const { pending } = await this.#open(target, stateRoot, position)
    this.#position = position
    return chain.publishRollback(target, stateRoot, preconfirmations ? pending : undefined)
  }

  /** Opens the block after `parent`; its first snapshot holds the deposits. */
  async #open(
    parent: Block,
    parentStateRoot = this.#options.chain.stateRootOf(parent),
    position = this.#position,
  ): Promise<{ payload: Payload; pending: PendingBlock }> {
    const { config, l1, confDepth } = this.#options
    const { conditions } = this
    const plan = await planBlock({
      config,
      l1,
      confDepth,
      parent,
      parentStateRoot,
      position,
      conditions,
    })
    const payload = await Payload.open(this.#context, plan)
    const pending = await payload.snapshot()
    this.#payload = payload
    l1.forget(plan.position.origin.number)
    return { payload, pending }
  }

  async #positionOf(block: Block): Promise<ChainPosition> {
    const { config, l1 } = this.#options
    const { l1Origin, sequenceNumber, systemConfig } = l2Parent(config, block)
    await l1.recall(l1Origin)
    const origin = l1.block(l1Origin.number)?.header
    if (origin) return { origin, sequenceNumber, systemConfig }
    throw new RollbedError('L1_ORIGIN_MISSING', `L1 has no block ${l1Origin.number} any more.`)
  }
}
