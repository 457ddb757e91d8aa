import type { Hex } from 'viem'
import { blockDue, firstFast } from './block-due.ts'
import type { GivenUp, ValueSeen } from './events-of.ts'
import type { KnownBlock, L2Tree } from './l2-tree.ts'
import type { Ledger } from './ledger.ts'
import { attributesSlots, BASE_TIME, L1_BLOCK, slotOf, VIEWS } from './predeploys.ts'

/**
 * What a question may be answered with: its value at any moment between asking and answering.
 * @returns undefined where nobody can know: a head was replaced meanwhile, or the log says too little
 */
export function possibleValues(
  tree: L2Tree,
  answer: ValueSeen & { t: number },
): bigint[] | undefined {
  const heads = headsWithin(tree, answer.asked, answer.t)
  if (!heads) return undefined
  const { at } = answer
  const of = (ledger: Ledger) => valueIn(ledger, answer)
  if (at === 'latest') return valuesOf(heads.latest, (executed) => [of(executed.at(-1)!)])
  if (at === 'pending') return pendingValues(tree, answer, heads)
  if (!at.startsWith('0x')) return undefined
  const block = [...tree.backFrom(heads.latest.at(-1)!.hash)].find(
    ({ number }) => number === Number(at),
  )
  return block && valuesOf([block], (executed) => [of(executed.at(-1)!)])
}

/** At latest, and in each block that was shown while it grew. */
function pendingValues(
  tree: L2Tree,
  answer: ValueSeen & { t: number },
  { latest, next, nextBy }: Heads,
): bigint[] | undefined {
  const { address, kind, asked, t: answered } = answer
  const isShown = ({ number }: { number: number }) => number < firstFast(tree.known)
  if (address === BASE_TIME && kind === 'call') return forecasts(tree, latest)
  // Since Denim nobody is shown a block that is being built.
  const wasShown = isShown({ number: latest[0]!.number + 1 })
  // But nonces count what waits for it, and what is in it already.
  const counts = kind === 'nonce'
  if ((wasShown || counts) && nextBy === undefined) return undefined
  const unsealed = tree.givenUp
    .filter(({ t }) => (wasShown || counts) && asked <= t && t <= nextBy!)
    .map((block) => unsealedValue(tree, answer, block))
  if (unsealed.includes(undefined)) return undefined
  const of = (ledger: Ledger) => valueIn(ledger, answer)
  const growing = [...latest.slice(1), ...next].filter((block) => counts || isShown(block))
  const first = valuesOf(latest, (executed) => [of(executed.at(-1)!)])
  const rest = valuesOf(growing, (executed) => executed.map(of))
  if (!first || !rest) return undefined
  const waiting = counts && !wasShown ? waitingNonces(tree, address, answered, first[0]!) : []
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
  return kind === 'storage' ? slotOf(ledger, address, BigInt(input)) : VIEWS[input]?.(ledger)
}

function valuesOf(
  blocks: readonly KnownBlock[],
  values: (ledgers: readonly Ledger[]) => (bigint | undefined)[],
): bigint[] | undefined {
  if (blocks.some(({ executed }) => !executed)) return undefined
  const all = blocks.flatMap(({ executed }) => values(executed!.ledgers))
  return all.includes(undefined) ? undefined : (all as bigint[])
}

interface Heads {
  /** Blocks that may have been the newest, oldest first. */
  latest: KnownBlock[]
  /** Those that were ever built after them: of more than one all but the last were replaced. */
  next: KnownBlock[]
  /** Milliseconds of the log at which the first of them was told; undefined where nobody can know what there was. */
  nextBy: number | undefined
}

/** undefined where the chain was replaced meanwhile, or nobody looked before and after. */
export function headsWithin(
  { heads, blocks, removed }: L2Tree,
  from: number,
  to: number,
): Heads | undefined {
  const first = heads.findLastIndex(({ t }) => t < from)
  const last = heads.findIndex(({ asked }) => asked > to)
  if (first < 0 || last < 0) return undefined
  const path: KnownBlock[] = []
  for (let hash: Hex = heads[last]!.hash; ; ) {
    const block = blocks.get(hash)
    if (!block || block.number < heads[first]!.number) return undefined
    path.unshift(block)
    if (hash === heads[first]!.hash) break
    hash = block.parent
  }
  // Heads in between that are not on the way were replaced, too.
  const onPath = new Set(path.map(({ hash }) => hash))
  if (heads.slice(first, last).some(({ hash }) => !onPath.has(hash))) return undefined
  // So was a block that came and went between two looks.
  const isReplaced = removed.some(
    ({ t, hash }) => from <= t && t <= heads[last]!.t && !onPath.has(hash),
  )
  if (isReplaced) return undefined
  const next = [...blocks.values()].filter(({ parent }) => parent === heads[last]!.hash)
  const nextBy = next.find(({ t }) => t >= from)?.t
  // What came and went between two looks nobody knows.
  const isMissed = removed.some(
    ({ t, hash }) => from <= t && t <= (nextBy ?? from) && !blocks.has(hash),
  )
  return { latest: path, next, nextBy: isMissed ? undefined : nextBy }
}
