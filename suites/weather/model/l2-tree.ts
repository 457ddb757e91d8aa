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

interface Moment {
  t: number
  head: Hex | undefined
}

/** A block that was being built was sealed, or given up, or went with its node: of that nobody knows anything. */
export interface BlockEnd extends GivenUp {
  t: number
  /** Its hash. */
  sealed?: Hex
}

/** All blocks of L2 that were ever told, of each branch: a reorganisation moves to another, and excuses nothing. */
export class L2Tree {
  readonly known: ChainKnown
  readonly blocks: ReadonlyMap<Hex, KnownBlock>
  /** What was signed, by hash. */
  readonly signed: ReadonlyMap<Hex, TransactionSigned & { t: number }>
  /** Heads in the order in which they were seen. */
  readonly heads: readonly (HeadSeen & { t: number })[]
  /** Which block was the newest from when on, by the node's own word; undefined: it was dead, and nobody knows. */
  readonly moments: readonly Moment[]
  /** The same of the newest that was safe, and final; undefined too where a reorganization may have moved it. */
  readonly marks: Readonly<Record<'safe' | 'finalized', readonly Moment[]>>
  /** What became of each block that was being built. */
  readonly ends: readonly BlockEnd[]
  /** Sealed blocks that were taken back, and when. */
  readonly removed: readonly { hash: Hex; t: number }[]
  readonly #children: ReadonlyMap<Hex, readonly KnownBlock[]>

  constructor(
    known: ChainKnown,
    blocks: ReadonlyMap<Hex, KnownBlock>,
    signed: ReadonlyMap<Hex, TransactionSigned & { t: number }>,
    heads: readonly (HeadSeen & { t: number })[],
    { moments, ends, marks }: Pick<L2Tree, 'moments' | 'ends' | 'marks'>,
    removed: readonly { hash: Hex; t: number }[],
  ) {
    this.known = known
    this.blocks = blocks
    this.signed = signed
    this.heads = heads
    this.moments = moments
    this.ends = ends
    this.marks = marks
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
  const [token] = eventsOf(events, 'token.known')
  const signed = new Map(eventsOf(events, 'transaction.signed').map((each) => [each.hash, each]))
  const begun = { balance: BigInt(known.balance), nonce: 0 }
  const genesis = new Ledger(known.accounts.map((address) => [address, begun] as const))
  const blocks = new Map<Hex, KnownBlock>()
  // A parent is always told before its child.
  for (const block of eventsOf(events, 'l2.block')) {
    const before = block.number === 0 ? genesis : blocks.get(block.parent)?.executed?.ledgers.at(-1)
    const executed = before && executeBlock(before, block, signed, token)
    blocks.set(block.hash, { ...block, executed })
  }
  const removed = events
    .filter(({ who, what }) => who === 'node' && what === 'reorg')
    .flatMap(({ t, data }) => (data.removed as Hex[]).map((hash) => ({ hash, t })))
  const times = timesOf(events, blocks)
  return new L2Tree(known, blocks, signed, eventsOf(events, 'l2.head'), times, removed)
}

/** What the node did, as it told the recorder at once. */
function timesOf(events: readonly LoggedEvent[], blocks: ReadonlyMap<Hex, KnownBlock>) {
  const marks = marksOf(events, blocks)
  const genesis = [...blocks.values()].find(({ number }) => number === 0)
  const parents = new Map([...blocks.values()].map(({ hash, parent }) => [hash, parent]))
  const moments: Moment[] = [{ t: -1, head: genesis?.hash }]
  const ends: BlockEnd[] = []
  for (const { t, who, what, data } of events) {
    if (who !== 'node') continue
    if (what === 'sealed') {
      const [hash, parent] = [data.hash as Hex, data.parent as Hex]
      parents.set(hash, parent)
      // Of a node that came back nobody knows more before.
      if (moments.at(-1)!.head !== parent) moments.push({ t, head: parent })
      moments.push({ t, head: hash })
      ends.push({ t, parent, sealed: hash })
    }
    if (what === 'reorg') {
      const last = (data.removed as Hex[]).at(-1)
      if (last) moments.push({ t, head: parents.get(last) })
    }
    if (what === 'ended') moments.push({ t, head: undefined })
    if (what === 'dropped' || what === 'ended') ends.push({ ...data, t })
  }
  return { moments, ends, marks }
}

/** A block that is final is safe; where safe goes back behind it, it goes back with it. */
function marksOf(events: readonly LoggedEvent[], blocks: ReadonlyMap<Hex, KnownBlock>) {
  const genesis = [...blocks.values()].find(({ number }) => number === 0)?.hash
  const begun = () => [{ t: -1, head: genesis }] as Moment[]
  const marks = { safe: begun(), finalized: begun() }
  for (const { t, who, what, data } of events) {
    if (who !== 'node') continue
    const head = data.hash as Hex | undefined
    const final = marks.finalized.at(-1)!.head
    if (what === 'safe' || what === 'finalized') marks[what].push({ t, head })
    const isBehind = final && (blocks.get(final)?.number ?? 0) > Number(data.number)
    if (what === 'safe' && isBehind) marks.finalized.push({ t, head })
    if (what !== 'reorg' && what !== 'ended') continue
    for (const each of Object.values(marks)) each.push({ t, head: undefined })
  }
  return marks
}
