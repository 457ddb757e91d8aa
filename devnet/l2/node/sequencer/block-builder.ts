import type { Logger } from 'pino'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { executePayload } from '#protocol/proof/execute-payload'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainControl } from '../chain-control.ts'
import type { ChainView, PendingBlock } from '../chain-view.ts'
import { type BlockConditions, lastingConditions } from '../open-block/block-conditions.ts'
import type { BlockPlan, ChainPosition } from '../open-block/block-plan.ts'
import type { OpenSnapshot } from '../open-block/open-snapshot.ts'
import type { StateEdit } from '../open-block/state-edit.ts'
import { flashblockShare } from './flashblock-share.ts'
import type { L1View } from './l1-view.ts'
import {
  type OpenPendingBlock,
  openPendingBlock,
  type PendingBlockContext,
  takeOverPendingBlock,
} from './open-pending-block.ts'
import { planBlock } from './plan-block.ts'
import { repool } from './repool.ts'

export interface BlockBuilderOptions {
  config: RollupConfig
  chain: ChainControl & Pick<ChainView, 'latest' | 'pending' | 'blockByNumber' | 'blockHash'>
  building: Omit<PendingBlockContext, 'blockHash'>
  l1: L1View
  /** Its time is not L1's: blocks take transactions however far ahead of L1 they are. */
  ignoresDrift?: boolean
  /** false: nothing is published but sealed blocks. */
  preconfirmations: boolean
  /** L1 blocks on top of an origin. */
  confDepth: bigint
  logger?: Logger | undefined
}

/** A block that was sealed, and what its publication needs. */
interface UnwrittenBlock {
  block: Block
  position: ChainPosition
  /** Of the block after it. */
  conditions: BlockConditions
  /** The first block that nobody can derive, as was found when this one was sealed. */
  underivable: bigint | undefined
  divergence: string | undefined
}

interface BegunBlock {
  open: OpenPendingBlock
  pending: OpenSnapshot
}

/**
 * Where the next block is built: on the newest one, from L1 and the pool. Knows no time. One step at
 * a time: the sequencer sees to that.
 */
export class BlockBuilder {
  /** What cheats prescribe; seen when a block is opened. */
  conditions: BlockConditions = {}
  /** Cheats moved the time: that L1 cannot follow must not keep transactions out. */
  ignoresDrift: boolean
  readonly #options: BlockBuilderOptions
  readonly #context: PendingBlockContext
  /** Known once a block was opened. */
  #position: ChainPosition | undefined
  #open: OpenPendingBlock | undefined
  /** Sealed, and not published: the disk did not take it. Nothing is built before it is written. */
  #unwritten: UnwrittenBlock | undefined
  /** The next block to be sealed replaces one that L1 may know. */
  #replaces = false
  /** The first block that a cheat put beyond the drift and that kept its origin; not judged yet. */
  #drifted: { number: bigint; origin: bigint } | undefined

  constructor(options: BlockBuilderOptions) {
    const { chain, building } = options
    this.#options = options
    this.ignoresDrift = options.ignoresDrift ?? false
    this.#context = {
      ...building,
      blockHash: (number) => chain.blockHash(number),
    }
  }

  /** When the block being built is due: milliseconds since 1970; undefined when none could be opened. */
  get timestampMs(): bigint | undefined {
    return this.#open?.plan.timestampMs
  }

  /** Whether a transaction waits that the block being built could take, if it has room. */
  hasCandidate(): boolean {
    return this.#open?.hasCandidate() ?? false
  }

  /**
   * The block being built; opened now if that failed before.
   * @throws RollbedError HISTORY_NOT_WRITTEN while the block before it waits for the disk
   */
  async current(): Promise<OpenPendingBlock> {
    const { chain, preconfirmations } = this.#options
    if (this.#unwritten) await this.#publish(this.#unwritten)
    if (this.#open) return this.#open
    this.#position ??= await this.#positionOf(chain.latest())
    const begun = await this.#begin(chain.latest())
    this.#take(begun)
    if (preconfirmations) chain.publishFlashblock(begun.pending)
    return begun.open
  }

  /** Goes on with the block that another chain has open on the same parent, exactly as it is. */
  async takeOver(snapshot: OpenSnapshot): Promise<void> {
    const { chain, preconfirmations } = this.#options
    this.#position = await this.#positionOf(chain.latest())
    this.conditions = snapshot.plan.conditions
    this.#open = await takeOverPendingBlock(this.#context, snapshot)
    const pending = await this.#open.snapshot()
    if (preconfirmations) chain.publishFlashblock(pending)
  }

  /** Executes pool transactions up to the share of a flashblock, and publishes the result. */
  async flashblock(slot: number, slots: number, isOver: () => boolean): Promise<PendingBlock> {
    const { chain, preconfirmations } = this.#options
    const open = await this.current()
    const { takenOver, plan } = open
    // What another chain put in takes nothing of the shares here: the rest of the block has them.
    const upTo = (used: bigint) =>
      used + flashblockShare(plan.attributes.gasLimit - used, slot, slots)
    await open.fill({
      gas: upTo(takenOver.gas),
      // OP spec, Jovian: the footprint's limit is the gas limit.
      daFootprint: upTo(takenOver.daFootprint),
      ignoresDrift: this.ignoresDrift,
      isOver,
    })
    const pending = await open.snapshot()
    if (preconfirmations) chain.publishFlashblock(pending)
    return pending
  }

  /**
   * Seals what is pre-confirmed and opens the next block. A block that the disk did not take stays as it
   * was sealed, and the next call tries again.
   * @throws RollbedError HISTORY_NOT_WRITTEN
   */
  async seal(): Promise<Block> {
    if (!this.#unwritten) {
      const open = await this.current()
      const block = await open.seal()
      this.#unwritten = {
        block,
        position: open.plan.position,
        conditions: lastingConditions(this.conditions),
        underivable: this.#judgeDrifted(open.plan),
        divergence: open.divergence() ?? (this.#replaces ? 'rollback' : undefined),
      }
    }
    return await this.#publish(this.#unwritten)
  }

  /** Anew at each try: meanwhile L1 may have given the next block another origin. */
  async #publish(sealed: UnwrittenBlock): Promise<Block> {
    const { chain, logger, preconfirmations } = this.#options
    const { block, position, conditions, underivable, divergence } = sealed
    const stateRoot = block.header.stateRoot
    const next = await this.#begin(block, stateRoot, position, conditions).catch(
      (error: unknown): undefined => {
        logger?.error(error, 'next block not opened')
      },
    )
    if (underivable) chain.markDiverged({ since: underivable, cause: 'sequencer drift' })
    if (divergence) chain.markDiverged({ since: block.header.number, cause: divergence })
    chain.publishSealed(block, preconfirmations ? next?.pending : undefined)
    this.#unwritten = undefined
    this.#open = undefined
    this.#position = position
    this.#replaces = false
    this.conditions = conditions
    if (next) this.#take(next)
    return block
  }

  /**
   * Beyond the drift an empty block may keep its origin only while L1's next block is later than it
   * (OP specs, Derivation, "Batch Queue"). Whether it is shows when L1 has that block.
   * @returns the first block that nobody can derive
   */
  #judgeDrifted({ parent, position, isDrifted }: BlockPlan): bigint | undefined {
    const { chain } = this.#options
    const { origin, sequenceNumber } = position
    const drifted = this.#drifted
    if (drifted && origin.number > drifted.origin) {
      this.#drifted = undefined
      for (let number = drifted.number; number <= parent.header.number; number++) {
        if (chain.blockByNumber(number)!.header.timestamp >= origin.timestamp) return number
      }
    }
    if (this.ignoresDrift && isDrifted && sequenceNumber > 0n) {
      this.#drifted ??= { number: parent.header.number + 1n, origin: origin.number }
    }
    return undefined
  }

  /**
   * Changes the state that is read at `latest` and at `pending`. Pre-confirmed transactions keep
   * their outcome.
   */
  async edit(edit: StateEdit): Promise<void> {
    const { chain, building, preconfirmations } = this.#options
    const open = await this.current()
    const latest = chain.latest()
    const { store, executor } = building
    const scratch = executor.openScratch({ store, stateRoot: chain.stateRootOf(latest) })
    await edit(scratch)
    const stateRoot = await scratch.commit()
    // Where it cannot be written, nothing has changed.
    chain.keepPatch(latest, stateRoot)
    await open.edit(edit)
    const pending = await open.snapshot()
    chain.patchState(latest, stateRoot)
    if (preconfirmations) chain.publishFlashblock(pending)
  }

  /** Opens the block anew, so that it sees the conditions. What it held of the pool's is dropped. */
  async reopen(): Promise<void> {
    const { chain } = this.#options
    await this.#restart(chain.latest(), chain.stateRootOf(chain.latest()), this.#position!)
  }

  /**
   * Goes back to an older block, and to a state that reads saw there.
   * @returns the blocks that are gone, newest first
   * @throws L1_ORIGIN_MISSING
   */
  async rollback(target: Block, stateRoot: Hash): Promise<Block[]> {
    const removed = await this.#restart(target, stateRoot, await this.#positionOf(target))
    // What L1 never heard of is as if it had not been: the next batch has what took its place.
    this.#replaces ||= removed.length > 0 && target.header.number < this.#options.chain.lastSent()
    return removed
  }

  /**
   * The same for a block that a snapshot kept. A suite of tests goes back by each of them, and further the longer
   * it takes: what L1 said since is not asked for each time.
   * @throws L1_ORIGIN_MISSING
   */
  revert(target: Block, stateRoot: Hash): Promise<Block[]> {
    const { l1, config } = this.#options
    l1.remember(l2Parent(config, target).l1Origin)
    return this.rollback(target, stateRoot)
  }

  /** Whether L1 dropped the block that the chain stands on: nobody can derive what is built so. */
  hasLostOrigin(): boolean {
    const { l1, chain, config } = this.#options
    const position = this.#open?.plan.position ?? this.#position
    // A chain that goes on may have lost it while nobody looked.
    const origin = position?.origin ?? l2Parent(config, chain.latest()).l1Origin
    const now = l1.block(origin.number)?.header.hash ?? origin.hash
    const below = l1.block(origin.number + 1n)?.header.parentHash ?? origin.hash
    return now !== origin.hash || below !== origin.hash
  }

  /**
   * Goes back to the newest block whose L1 origin is still there. What users sent waits in the pool.
   * @throws L1_ORIGIN_MISSING when L1 has no block that the chain was ever built on
   */
  async leaveLostOrigin(): Promise<void> {
    const { chain, logger } = this.#options
    const pending = chain.pending()
    const [target, position] = await this.#newestOnL1(chain.latest())
    const removed = await this.#restart(target, chain.stateRootOf(target), position)
    const to = target.header.number
    logger?.warn({ to, removed: removed.length }, 'L1 was reorganised; building anew')
    await repool(chain, removed, pending)
  }

  /**
   * What L1 says comes after `parent` takes the place of what was built there.
   * @returns undefined when a transaction may not stand in it: then nothing changes
   * @throws BLOCK_NOT_CANONICAL when `parent` is gone
   */
  async adopt(parent: Block, attributes: PayloadAttributes): Promise<Block | undefined> {
    const { chain, building, config, logger } = this.#options
    chain.assertCanonical(parent)
    const block = await executePayload({
      ...this.#context,
      ...building,
      parent,
      attributes,
      config,
    })
    if (!block || chain.blockByNumber(block.header.number)?.hash === block.hash) return block
    const position = await this.#positionOf(block)
    const pending = chain.pending()
    const removed = await this.#restart(
      parent,
      parent.header.stateRoot,
      await this.#positionOf(parent),
    )
    const { conditions } = this
    this.#unwritten = { block, position, conditions, underivable: undefined, divergence: undefined }
    try {
      await this.#publish(this.#unwritten)
    } finally {
      await repool(chain, removed, pending)
    }
    const { number } = block.header
    logger?.warn({ number, removed: removed.length }, 'took a block that L1 gives otherwise')
    return block
  }

  async #newestOnL1(latest: Block): Promise<[Block, ChainPosition]> {
    const { chain, config } = this.#options
    let dropped: Hash | undefined
    for (let block: Block | undefined = latest; block; ) {
      const { hash } = l2Parent(config, block).l1Origin
      if (hash !== dropped) {
        try {
          return [block, await this.#positionOf(block)]
        } catch (error) {
          if (Object(error).code !== 'L1_ORIGIN_MISSING') throw error
          dropped = hash
        }
      }
      block = chain.blockByNumber(block.header.number - 1n)
    }
    throw originMissing('any block that the chain was built on')
  }

  async #restart(target: Block, stateRoot: Hash, position: ChainPosition): Promise<Block[]> {
    const { chain, preconfirmations } = this.#options
    const begun = await this.#begin(target, stateRoot, position)
    const { pending } = begun
    const removed = chain.publishRollback(target, stateRoot, preconfirmations ? pending : undefined)
    this.#take(begun)
    this.#unwritten = undefined
    this.#position = position
    this.#drifted = undefined
    return removed
  }

  /**
   * Opens the block after `parent`; its first snapshot holds the deposits. It is the one being built
   * only once it is taken: what is published with it may still fail.
   */
  async #begin(
    parent: Block,
    parentStateRoot = this.#options.chain.stateRootOf(parent),
    position = this.#position!,
    conditions = this.conditions,
  ): Promise<BegunBlock> {
    const { config, l1, confDepth } = this.#options
    const plan = await planBlock({
      config,
      l1,
      confDepth,
      parent,
      parentStateRoot,
      position,
      conditions,
    })
    const open = await openPendingBlock(this.#context, plan)
    return { open, pending: await open.snapshot() }
  }

  #take({ open }: BegunBlock): void {
    this.#open = open
    this.#options.l1.forget(open.plan.position.origin.number)
  }

  async #positionOf(block: Block): Promise<ChainPosition> {
    const { config, l1 } = this.#options
    const { l1Origin, sequenceNumber, systemConfig } = l2Parent(config, block)
    await l1.recall(l1Origin)
    const origin = l1.block(l1Origin.number)?.header
    if (origin) return { origin, sequenceNumber, systemConfig }
    throw originMissing(`block ${l1Origin.number}`)
  }
}

function originMissing(what: string): RollbedError {
  return new RollbedError('L1_ORIGIN_MISSING', `L1 does not have ${what} any more.`)
}
