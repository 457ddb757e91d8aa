import type { Hex } from 'viem'
import { blockDue, firstFast } from './block-due.ts'
import { tokensOf } from './bridged-tokens.ts'
import type { GivenUp, ValueSeen } from './events-of.ts'
import type { BlockEnd, KnownBlock, L2Tree } from './l2-tree.ts'
import type { Ledger } from './ledger.ts'
import { attributesSlots, BASE_TIME, L1_BLOCK, slotOf, VIEWS } from './predeploys.ts'

/** Characters of a block's hash. */
const HASH = 66

/**
 * What a question may be answered with: its value at any moment between asking and answering.
 * @returns undefined where nobody can know: a head was replaced meanwhile, or the log says too little
 */
export function possibleValues(
  tree: L2Tree,
  answer: ValueSeen & { t: number },
): bigint[] | undefined {
  const { at, asked, t } = answer
  const of = (ledger: Ledger) => valueIn(ledger, answer)
  const last = (blocks: readonly KnownBlock[]) =>
    valuesOf(blocks, (executed) => [of(executed.at(-1)!)])
  if (at === 'safe' || at === 'finalized') {
    const marked = markedWithin(tree, at, asked, t)
    return marked && last(marked)
  }
  const named = at.length === HASH ? tree.blocks.get(at as Hex) : undefined
  if (named) return last([named])
  const heads = headsWithin(tree, asked, t)
  if (!heads) return undefined
  if (at === 'latest') return last(heads)
  if (at === 'pending') return pendingValues(tree, answer, heads)
  if (!at.startsWith('0x') || at.length === HASH) return undefined
  const blocks = heads.flatMap(({ hash }) => blockAt(tree, hash, Number(at)) ?? [])
  return blocks.length < heads.length ? undefined : last(blocks)
}

/** At latest, and in each block that was shown while it grew. */
function pendingValues(
  tree: L2Tree,
  answer: ValueSeen & { t: number },
  heads: readonly KnownBlock[],
): bigint[] | undefined {
  const { address, kind, asked, t: answered } = answer
  if (address === BASE_TIME && kind === 'call') return forecasts(tree, heads)
  // Since Denim nobody is shown a block that is being built. But nonces count what is in it already.
  const counts = kind === 'nonce'
  const shown = heads.filter(({ number }) => counts || number + 1 < firstFast(tree.known))
  const open = openUpon(tree, shown, asked, answered)
  if (!open) return undefined
  const unsealed = open.givenUp.map((block) => unsealedValue(tree, answer, block))
  if (unsealed.includes(undefined)) return undefined
  const of = (ledger: Ledger) => valueIn(ledger, answer)
  const first = valuesOf(heads, (executed) => [of(executed.at(-1)!)])
  const rest = valuesOf(open.sealed, (executed) => executed.map(of))
  if (!first || !rest) return undefined
  const isFast = heads.some(({ number }) => number + 1 >= firstFast(tree.known))
  const waiting = counts && isFast ? waitingNonces(tree, address, answered, first[0]!) : []
  return [...first, ...rest, ...(unsealed as bigint[]), ...waiting]
}

/** What waits counts, as far as its sender had signed by then. */
function waitingNonces({ signed }: L2Tree, of: Hex, by: number, from: bigint): bigint[] {
  const own = [...signed.values()].filter(({ from, t }) => t <= by && isSame(from, of))
  const most = Math.max(-1, ...own.map(({ nonce }) => nonce))
  return Array.from(
    { length: Math.max(0, most + 1 - Number(from)) },
    (_, at) => from + BigInt(at + 1),
  )
}

const isSame = (one: Hex, other: Hex) => one.toLowerCase() === other.toLowerCase()

/** Since Denim a call at pending finds BaseTime as it will be in the block to come (base/base, its forecast). */
function forecasts({ known }: L2Tree, latest: readonly KnownBlock[]): bigint[] {
  return latest
    .map(({ number }) => number + 1)
    .filter((number) => number >= firstFast(known))
    .map((number) => BigInt(blockDue(known, number) % 1_000))
}

/**
 * What a block that was given up showed, where it is in no other block. What its users' transactions paid is in
 * no receipt; L1's attributes are L1's alone.
 */
function unsealedValue(
  tree: L2Tree,
  answer: ValueSeen,
  { parent, attributes, transactions = [] }: GivenUp,
): bigint | undefined {
  const before = parent && tree.blocks.get(parent)?.executed?.ledgers.at(-1)
  const isOfL1 = answer.address.toLowerCase() === L1_BLOCK
  if (!before || !attributes || (transactions.length > 1 && !isOfL1)) return undefined
  const slots = attributesSlots(attributes)
  return valueIn(before.after([{ address: L1_BLOCK, slots }]), answer)
}

function valueIn(ledger: Ledger, { kind, address, input = '0x' }: ValueSeen): bigint | undefined {
  if (kind === 'balance') return ledger.of(address).balance
  if (kind === 'nonce') return BigInt(ledger.of(address).nonce)
  if (kind === 'code') return ledger.isContract(address) ? 1n : 0n
  return kind === 'storage'
    ? slotOf(ledger, address, BigInt(input))
    : (VIEWS[input]?.(ledger) ?? tokensOf(ledger, address, input))
}

function valuesOf(
  blocks: readonly KnownBlock[],
  values: (ledgers: readonly Ledger[]) => (bigint | undefined)[],
): bigint[] | undefined {
  if (blocks.some(({ executed }) => !executed)) return undefined
  const all = blocks.flatMap(({ executed }) => values(executed!.ledgers))
  return all.includes(undefined) ? undefined : (all as bigint[])
}

/** The block of this number in the chain up to another. */
export function blockAt(tree: L2Tree, head: Hex, number: number): KnownBlock | undefined {
  return [...tree.backFrom(head)].find((block) => block.number === number)
}

/**
 * Blocks that were the newest at some moment of this time, each of them once: a reorganization takes none of them from
 * whoever was answered before it.
 * @returns undefined where one of them was never told, or the node was dead
 */
export function headsWithin(
  { moments, blocks }: Pick<L2Tree, 'moments' | 'blocks'>,
  from: number,
  to: number,
): KnownBlock[] | undefined {
  const first = moments.findLastIndex(({ t }) => t < from)
  if (first < 0) return undefined
  const within = moments.slice(first).filter(({ t }) => t <= to)
  const heads = [...new Set(within.map(({ head }) => head))].map((hash) => hash && blocks.get(hash))
  return heads.includes(undefined) ? undefined : (heads as KnownBlock[])
}

/** The same of blocks that were the newest which was safe, or final. */
export const markedWithin = (
  { marks, blocks }: L2Tree,
  tag: 'safe' | 'finalized',
  from: number,
  to: number,
) => headsWithin({ moments: marks[tag], blocks }, from, to)

interface OpenBlocks {
  /** Blocks that became what they are later. */
  sealed: KnownBlock[]
  givenUp: GivenUp[]
}

/**
 * Blocks that were being built upon these at some moment of this time, by what became of them.
 * @returns undefined where one was never told
 */
export function openUpon(
  { moments, ends, blocks }: L2Tree,
  heads: readonly KnownBlock[],
  from: number,
  to: number,
): OpenBlocks | undefined {
  const newest = moments.findLast(({ t }) => t <= to)?.head
  const open = heads.flatMap(({ hash }) => {
    const own = ends.filter(({ t, parent = hash }) => t >= from && parent === hash)
    const within = own.filter(({ t }) => t <= to)
    return hash === newest ? [...within, own[within.length]] : within
  })
  const sealed = open.flatMap((end) => (end?.sealed ? [blocks.get(end.sealed)] : []))
  if (open.includes(undefined) || sealed.includes(undefined)) return undefined
  const givenUp = (open as BlockEnd[]).filter((end) => !end.sealed)
  return { sealed: sealed as KnownBlock[], givenUp }
}
