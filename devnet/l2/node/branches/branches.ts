import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { Turns } from '#devnet/base/process/turns'
import type { Timer } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { Chain } from '../chain/chain.ts'
import type { Pool } from '../mempool/pool.ts'
import type { FetchL1Block } from '../sequencer/l1-prefetch.ts'
import type { InTurn } from '../sequencer/sequencer.ts'
import type { RetainingStore } from '../state/retaining-store.ts'
import { Branch, type BranchContext } from './branch.ts'
import { L1Origins } from './l1-origins.ts'

export interface BranchesOptions extends Omit<BranchContext, 'inTurn' | 'origins'> {
  fetchL1Block: FetchL1Block
  chain: Chain
  pool: Pool
  store: RetainingStore
  /** Branches at the same time; default 5,000. */
  maxBranches?: number
  /** Milliseconds without a call after which a branch is dropped; default ten minutes. */
  dropAfter?: number
}

interface Kept {
  branch: Branch
  /** States that it stands on: of the chain that it left, and what that stands on in turn. */
  holds: { store: RetainingStore; stateRoot: Hash }[]
  lastUsed: number
  /** Calls under way and open connections. */
  users: number
}

/** Milliseconds without a call after which the time of a branch stands still. */
const SLEEP_AFTER = 3_000
const SWEEP_INTERVAL = 1_000

/**
 * The branches of a node. Making one costs nothing that grows with the chain; whoever forgets to drop
 * it loses it when it was idle for long.
 */
export class Branches implements OwnedResource {
  readonly #options: BranchesOptions
  readonly #kept = new Map<string, Kept>()
  #lastId = 0
  #sweep: Timer | undefined
  readonly #turns = new Turns()
  readonly #origins: L1Origins

  constructor(options: BranchesOptions) {
    this.#options = options
    this.#origins = new L1Origins(options.fetchL1Block)
  }

  get size(): number {
    return this.#kept.size
  }

  /** In the order in which they were made. */
  all(): Branch[] {
    return [...this.#kept.values()].map(({ branch }) => branch)
  }

  get(id: string): Branch | undefined {
    return this.#kept.get(id)?.branch
  }

  /**
   * @param at a sealed block; `pending`: the newest, with the block under construction upon it and the
   * pool, exactly as they are
   * @param options.from the branch whose block it is; default: the node's own chain
   * @param options.isPrompt whether flashblocks come as soon as something waits; default: as in `from`
   * @throws RollbedError BRANCHES_FULL, STATE_PRUNED
   */
  create(
    at: Block | 'pending',
    {
      from,
      isPrompt = from?.isPrompt ?? false,
    }: { from?: Branch | undefined; isPrompt?: boolean } = {},
  ): Branch {
    const { maxBranches = 5_000, chain, store } = this.#options
    if (this.#kept.size >= maxBranches) {
      throw new RollbedError('BRANCHES_FULL', `There are ${maxBranches} branches already.`, {
        hint: 'Drop those that are no longer needed: rollbed_dropBranch, or drop() of devnet.branch().',
      })
    }
    const parent = from && this.#require(from.id)
    const trunk = from?.chain ?? chain
    const base = at === 'pending' ? trunk.latest() : at
    const begun =
      at === 'pending'
        ? { open: trunk.pending(), pool: from?.pool ?? this.#options.pool }
        : undefined
    if (trunk.isStatePruned(base.header.number)) {
      const message = `Nothing can branch off block ${base.header.number}: its state is no longer kept.`
      throw new RollbedError('STATE_PRUNED', message, {
        hint: 'Keep more with --history-blocks and --history-memory.',
      })
    }
    // A cheat may have changed the state at the base after the open block began upon it.
    const roots = new Set([trunk.stateRootOf(base)])
    if (begun?.open) roots.add(begun.open.plan.parentStateRoot)
    const own = [...roots].map((stateRoot) => ({ store: from?.store ?? store, stateRoot }))
    const holds = [...(parent?.holds ?? []), ...own]
    for (const hold of holds) hold.store.retain(hold.stateRoot)
    this.#lastId += 1
    const branch = new Branch(
      { ...this.#options, origins: this.#origins, inTurn: this.#inTurn },
      trunk,
      {
        id: `${this.#lastId}`,
        base,
        begun,
        isPrompt,
      },
    )
    this.#kept.set(branch.id, { branch, holds, lastUsed: this.#options.clock.now(), users: 0 })
    this.#sweep ??= this.#armSweep()
    return branch
  }

  /** Somebody uses the branch until the returned function is called: it is open and awake meanwhile. */
  async use(id: string): Promise<() => void> {
    const kept = this.#require(id)
    kept.users += 1
    const leave = () => {
      kept.users -= 1
      kept.lastUsed = this.#options.clock.now()
    }
    try {
      await kept.branch.open()
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Returns whether there was such a branch. */
  async drop(id: string): Promise<boolean> {
    const kept = this.#kept.get(id)
    if (!kept) return false
    this.#kept.delete(id)
    await kept.branch.stop()
    for (const { store, stateRoot } of kept.holds) store.release(stateRoot)
    return true
  }

  async stop(): Promise<void> {
    this.#sweep?.cancel()
    await Promise.all([...this.#kept.keys()].map((id) => this.drop(id)))
  }

  #require(id: string): Kept {
    const kept = this.#kept.get(id)
    if (kept) return kept
    throw new RollbedError('BRANCH_MISSING', `There is no branch ${id}.`, {
      hint: 'It was dropped, or nobody used it for ten minutes.',
    })
  }

  /** All branches share one executor: their steps come one after the other. */
  readonly #inTurn: InTurn = (work) => this.#turns.take(work)

  #armSweep(): Timer {
    const { clock, dropAfter = 600_000, logger } = this.#options
    return clock.after(SWEEP_INTERVAL, () => {
      const now = clock.now()
      for (const [id, { branch, users, lastUsed }] of this.#kept) {
        if (users > 0) continue
        if (now - lastUsed >= dropAfter) {
          this.drop(id).catch((error: unknown) => logger?.error(error, 'branch not dropped'))
        } else if (now - lastUsed >= SLEEP_AFTER) branch.sleep()
      }
      this.#sweep = this.#kept.size > 0 ? this.#armSweep() : undefined
    })
  }
}
