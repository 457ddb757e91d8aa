import type { Logger } from 'pino'
import type { Clock } from '#protocol/clock/clock'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Executor } from '#protocol/execution/executor'
import type { Block } from '#protocol/types/block'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import { EventEmitter } from '../chain/event-emitter.ts'
import type { ChainEvents, ChainView } from '../chain-view.ts'
import { Pool } from '../mempool/pool.ts'
import type { OpenSnapshot } from '../open-block/open-snapshot.ts'
import { ChainCheats } from '../sequencer/chain-cheats.ts'
import { type InTurn, Sequencer } from '../sequencer/sequencer.ts'
import { keepHistory } from '../state/keep-history.ts'
import { PrunedStore } from '../state/pruned-store.ts'
import { BranchChain } from './branch-chain.ts'
import { BranchHistory } from './branch-history.ts'
import { BranchL1 } from './branch-l1.ts'
import type { L1Origins } from './l1-origins.ts'

/** What all branches of a node have in common. */
export interface BranchContext {
  config: RollupConfig
  execution: ExecutionConfig
  /** Of the branches alone: it runs one message at a time. */
  executor: Executor
  inTurn: InTurn
  origins: L1Origins
  clock: Clock
  /** Milliseconds between flashblocks. */
  flashblockTime: number
  logger?: Logger | undefined
}

/** All that stands on a block of another chain at one moment. */
export interface Begun {
  /** The block under construction; undefined where there are no pre-confirmations. */
  open: OpenSnapshot | undefined
  /** Copied at once. */
  pool: Pool
}

/** What BLOCKHASH reaches. */
const HISTORY_BLOCKS = 256

/**
 * A chain of its own upon a block of another: with its own head, pool, clock and cheats, over the state
 * and the blocks of the other. Until it is opened it holds no more than what is written here.
 *
 * It knows L1 as of its base, so deposits do not reach it, and nobody posts or proves it: `safe` and
 * `finalized` stay where the other chain had them.
 */
export class Branch {
  readonly id: string
  readonly base: Block
  /** Flashblocks come as soon as something waits. */
  readonly isPrompt: boolean
  readonly chain: BranchChain
  readonly store: PrunedStore
  readonly pool: Pool
  readonly cheats: ChainCheats
  readonly #history: BranchHistory
  readonly #l1: BranchL1
  readonly #context: BranchContext
  #begun: Begun | undefined
  readonly #sequencer: Sequencer
  #opening: Promise<void> | undefined

  /** @param begun what it begins with beside the base */
  constructor(
    context: BranchContext,
    trunk: ChainView,
    options: { id: string; base: Block; begun: Begun | undefined; isPrompt: boolean },
  ) {
    const { config, execution, executor, inTurn, clock, flashblockTime, logger } = context
    const { base } = options
    this.id = options.id
    this.base = base
    this.isPrompt = options.isPrompt
    this.#context = context
    this.#begun = options.begun
    const events = new EventEmitter<ChainEvents>((error, event) =>
      logger?.error({ err: error, event, branch: options.id }, 'listener failed'),
    )
    const pool = new Pool((transaction, reason) =>
      events.emit('discarded', { transaction, reason }),
    )
    if (options.begun) pool.takeOver(options.begun.pool)
    // Young nodes of the trunk may go: only what belongs to the base is sure to stay.
    const store = new PrunedStore(trunk.store, () => false)
    const blocks = new BranchHistory(trunk, base.header.number)
    const first = base.header.number + 1n
    const chain = new BranchChain({
      config: execution,
      trunk,
      heads: {
        latest: base,
        safe: atMost(base, trunk.safe()),
        finalized: atMost(base, trunk.finalized()),
      },
      store,
      pool,
      events,
      blocks,
      divergence: { since: first, cause: 'branch' },
    })
    keepHistory({ chain, store, historyBlocks: HISTORY_BLOCKS, first })
    const stateRoot = trunk.stateRootOf?.(base)
    if (stateRoot && stateRoot !== base.header.stateRoot) chain.patchState(base, stateRoot)
    this.#l1 = new BranchL1(context.origins)
    this.#history = blocks
    this.pool = pool
    this.chain = chain
    this.store = store
    this.#sequencer = new Sequencer({
      config,
      chain,
      building: { executor, store, pool },
      l1: this.#l1,
      clock,
      flashblockTime,
      manual: false,
      inTurn,
      isQuiet: true,
      isPrompt: options.isPrompt,
      ignoresDrift: true,
      preconfirmations: true,
      confDepth: 0n,
      logger,
    })
    this.cheats = new ChainCheats({
      ...{ sequencer: this.#sequencer, chain, store, pool, logger },
      times: config,
    })
  }

  /** From here on it can be read, and its time runs; that of a branch that slept goes on. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      // L1 may answer the next time.
      this.#opening = undefined
      throw error
    })
    await this.#opening
    await this.#sequencer.wake()
  }

  /** Its time stands still until it is opened again. */
  sleep(): void {
    if (this.#opening) this.#sequencer.sleep()
  }

  async stop(): Promise<void> {
    this.#history.close()
    await this.#sequencer.stop()
  }

  async #open(): Promise<void> {
    const { config } = this.#context
    await this.#l1.recall(l2Parent(config, this.base).l1Origin)
    const open = this.#begun?.open
    if (open) await this.#sequencer.step((builder) => builder.takeOver(open))
    this.#begun = undefined
    await this.#sequencer.start()
    // Its time begins now, however old its base is.
    await this.#sequencer.step(async () => this.#sequencer.align())
    this.chain.on('pooled', () => this.#sequencer.notice())
    this.#sequencer.notice()
  }
}

const atMost = (base: Block, head: Block): Block =>
  head.header.number > base.header.number ? base : head
