import type { Hex } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import type { TransactionSigned } from './events-of.ts'
import { type L2Tree, treeOf } from './l2-tree.ts'

/** Milliseconds that a flashblock may take to be made; in a simulated world it takes none. */
const MAKING = 1_000

export const tipsComeFirst: Checker = {
  name: 'tips-come-first',
  says: 'Of what waits and can be taken, a flashblock takes first what pays the highest tip, and of equals what came first.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    const pooled = new Map<Hex, number>()
    /** Who came into the pool as the how manyth. */
    const arrivals = new Map<Hex, number>()
    let arrival = 0
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (who !== 'node') return []
      if (what === 'pooled') {
        pooled.set(data.hash as Hex, t)
        arrivals.set(data.hash as Hex, arrival++)
      }
      if (what !== 'flashblock') return []
      const added = data.added as Hex[]
      const baseFee = feeOf(tree, added, Number(data.number))
      if (baseFee === undefined) return []
      // What came while it was made waits for the next.
      const begun = t - (tree.known.isReal ? MAKING : 0)
      const waited = (hash: Hex) => (pooled.get(hash) ?? Infinity) < begun
      const isOlder = (one: Hex, other: Hex) => arrivals.get(one)! < arrivals.get(other)!
      const taken = added.flatMap((hash) => tree.signed.get(hash) ?? [])
      return problemsOf(taken, { waited, isOlder }, baseFee).map((problem) => ({
        t,
        problem: `Block ${data.number} ${problem}`,
      }))
    })
  },
}

/** Of the block at this height that has any of them; undefined where it was given up. */
function feeOf({ blocks }: L2Tree, added: readonly Hex[], number: number): bigint | undefined {
  const block = [...blocks.values()].find(
    (each) => each.number === number && each.transactions.some(({ hash }) => added.includes(hash)),
  )
  return block && BigInt(block.baseFee)
}

/** @param taken in order; one that came while the flashblock was made still keeps its sender's next ones back */
function problemsOf(
  taken: readonly TransactionSigned[],
  {
    waited,
    isOlder,
  }: { waited: (hash: Hex) => boolean; isOlder: (one: Hex, other: Hex) => boolean },
  baseFee: bigint,
): string[] {
  return taken.flatMap((first, at) => {
    if (!waited(first.hash)) return []
    const better = taken.slice(at + 1).find((other, after) => {
      if (!waited(other.hash)) return false
      const isNext = !taken
        .slice(at, at + 1 + after)
        .some(({ from, nonce }) => from === other.from && nonce < other.nonce)
      const more = tipOf(other, baseFee) - tipOf(first, baseFee)
      return isNext && (more > 0n || (more === 0n && isOlder(other.hash, first.hash)))
    })
    return better
      ? [
          `takes ${first.hash} before ${better.hash}, which waited too and pays more, or as much for longer.`,
        ]
      : []
  })
}

/** EIP-1559. */
function tipOf({ maxFeePerGas, maxPriorityFeePerGas }: TransactionSigned, baseFee: bigint): bigint {
  const [tip, left] = [BigInt(maxPriorityFeePerGas), BigInt(maxFeePerGas) - baseFee]
  return tip < left ? tip : left
}
