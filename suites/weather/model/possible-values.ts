import type { Hex } from 'viem'
import type { ValueSeen } from './events-of.ts'
import type { KnownBlock, L2Tree } from './l2-tree.ts'

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
  const { at, address, kind } = answer
  const of = (ledger: NonNullable<KnownBlock['executed']>['ledgers'][number]): bigint =>
    kind === 'balance' ? ledger.of(address).balance : BigInt(ledger.of(address).nonce)
  if (at === 'latest') return valuesOf(heads.latest, (executed) => [of(executed.at(-1)!)])
  if (at === 'pending') {
    const child = heads.next
    if (!child) return undefined
    // What was shown of a block that nobody sealed is in no block.
    if (tree.givenUp.some((t) => answer.asked <= t && t <= child.t)) return undefined
    const sealed = heads.latest.slice(0, 1)
    const growing = [...heads.latest.slice(1), child]
    const first = valuesOf(sealed, (executed) => [of(executed.at(-1)!)])
    const rest = valuesOf(growing, (executed) => executed.map(of))
    return first && rest && [...first, ...rest]
  }
  if (!at.startsWith('0x')) return undefined
  const block = [...tree.backFrom(heads.latest.at(-1)!.hash)].find(
    ({ number }) => number === Number(at),
  )
  return block && valuesOf([block], (executed) => [of(executed.at(-1)!)])
}

type Ledgers = NonNullable<KnownBlock['executed']>['ledgers']

function valuesOf(
  blocks: readonly KnownBlock[],
  values: (ledgers: Ledgers) => bigint[],
): bigint[] | undefined {
  if (blocks.some(({ executed }) => !executed)) return undefined
  return blocks.flatMap(({ executed }) => values(executed!.ledgers))
}

interface Heads {
  /** Blocks that may have been the newest, oldest first. */
  latest: KnownBlock[]
  /** The one after them. */
  next: KnownBlock | undefined
}

/** undefined where the chain was replaced meanwhile, or nobody looked before and after. */
function headsWithin({ heads, blocks }: L2Tree, from: number, to: number): Heads | undefined {
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
  const next = [...blocks.values()].findLast(({ parent }) => parent === heads[last]!.hash)
  return { latest: path, next }
}
