import type { Hex } from 'viem'
import type { LoggedEvent } from '../checkers/checker.ts'
import {
  type ChainKnown,
  eventsOf,
  type GivenUp,
  type HeadSeen,
  type L2BlockSeen,
  type TransactionSigned,
} from './events-of.ts'
import { type ExecutedBlock, executeBlock } from './execute-block.ts'
import { Ledger } from './ledger.ts'

/** A block at a place of the tree, with what it makes of the one before it. */
export interface KnownBlock extends L2BlockSeen {
  /** Milliseconds of the log at which it was told. */
  t: number
  /** undefined where a block before it was never told. */
  executed: ExecutedBlock | undefined
}

/** All blocks of L2 that were ever told, of each branch: a reorganisation moves to another, and excuses nothing. */
export class L2Tree {
  readonly known: ChainKnown
  readonly blocks: ReadonlyMap<Hex, KnownBlock>
  /** What was signed, by hash. */
  readonly signed: ReadonlyMap<Hex, TransactionSigned & { t: number }>
  /** Heads in the order in which they were seen. */
  readonly heads: readonly (HeadSeen & { t: number })[]
  /** Blocks that were being built and that nobody sealed. */
  readonly givenUp: readonly (GivenUp & { t: number })[]
  /** Sealed blocks that were taken back, and when. */
  readonly removed: readonly { hash: Hex; t: number }[]
  readonly #children: ReadonlyMap<Hex, readonly KnownBlock[]>

  constructor(
    known: ChainKnown,
    blocks: ReadonlyMap<Hex, KnownBlock>,
    signed: ReadonlyMap<Hex, TransactionSigned & { t: number }>,
    heads: readonly (HeadSeen & { t: number })[],
    givenUp: readonly (GivenUp & { t: number })[],
    removed: readonly { hash: Hex; t: number }[],
  ) {
    this.known = known
    this.blocks = blocks
    this.signed = signed
    this.heads = heads
    this.givenUp = givenUp
    this.removed = removed
    this.#children = Map.groupBy(blocks.values(), ({ parent }) => parent)
  }

  /** A block and those before it, newest first, down to the first that was told. */
  *backFrom(hash: Hex): Generator<KnownBlock> {
    for (let block = this.blocks.get(hash); block; block = this.blocks.get(block.parent))
      yield block
  }

  /** Blocks that stand on this one. */
  on(hash: Hex): readonly KnownBlock[] {
    return this.#children.get(hash) ?? []
  }

  /** Blocks on which none stands. */
  tips(): KnownBlock[] {
    return [...this.blocks.values()].filter(({ hash }) => !this.#children.has(hash))
  }
}

const trees = new WeakMap<readonly LoggedEvent[], L2Tree | undefined>()

/** The tree of a log, read once; undefined where nobody told what the chain begins with. */
export function treeOf(events: readonly LoggedEvent[]): L2Tree | undefined {
  if (!trees.has(events)) trees.set(events, readTree(events))
  return trees.get(events)
}

function readTree(events: readonly LoggedEvent[]): L2Tree | undefined {
  const [known] = eventsOf(events, 'chain.known')
  if (!known) return undefined
  const signed = new Map(eventsOf(events, 'transaction.signed').map((each) => [each.hash, each]))
  const begun = { balance: BigInt(known.balance), nonce: 0 }
  const genesis = new Ledger(known.accounts.map((address) => [address, begun] as const))
  const blocks = new Map<Hex, KnownBlock>()
  // A parent is always told before its child.
  for (const block of eventsOf(events, 'l2.block')) {
    const before = block.number === 0 ? genesis : blocks.get(block.parent)?.executed?.ledgers.at(-1)
    const executed = before && executeBlock(before, block, signed)
    blocks.set(block.hash, { ...block, executed })
  }
  const givenUp = events
    .filter(({ who, what }) => who === 'node' && ['dropped', 'ended'].includes(what))
    .map(({ t, data }) => ({ ...data, t }))
  const removed = events
    .filter(({ who, what }) => who === 'node' && what === 'reorg')
    .flatMap(({ t, data }) => (data.removed as Hex[]).map((hash) => ({ hash, t })))
  return new L2Tree(known, blocks, signed, eventsOf(events, 'l2.head'), givenUp, removed)
}
