import type { Hex } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { eventsOf } from './events-of.ts'
import { L1Tree } from './l1-tree.ts'
import { type L2Tree, treeOf } from './l2-tree.ts'
import { derivedOf } from './safe-is-on-l1.ts'

export const headsAreOneChain: Checker = {
  name: 'heads-are-one-chain',
  says: 'What is final is safe, what is safe is in the chain, and L1 alone takes back what it made safe.',
  safety(events) {
    const tree = treeOf(events)
    return tree ? [...splits(events, tree), ...backs(events, tree)] : []
  },
}

/** Three heads of one answer, of which one is not before the next. */
function splits(events: readonly LoggedEvent[], tree: L2Tree): Found[] {
  return eventsOf(events, 'sync.seen').flatMap(({ t, latest, safe, finalized }): Found[] => {
    // Some were taken back before anybody read them.
    if (![latest, safe, finalized].every((hash) => tree.blocks.has(hash))) return []
    const isBefore = (hash: Hex, of: Hex) =>
      [...tree.backFrom(of)].some((block) => block.hash === hash)
    if (!isBefore(safe, latest))
      return [{ t, problem: `Safe is ${safe}, which the newest block ${latest} does not follow.` }]
    if (isBefore(finalized, safe)) return []
    return [{ t, problem: `Final is ${finalized}, which safe block ${safe} does not follow.` }]
  })
}

/** Where safe went back behind a block that L1 still has in a block which was there before. */
function backs(events: readonly LoggedEvent[], tree: L2Tree): Found[] {
  const l1 = new L1Tree(events)
  const derived = derivedOf(events)
  const minedAt = new Map(
    events
      .filter(({ who, what }) => who === 'l1' && what === 'block')
      .map(({ t, data }) => [data.hash as Hex, t]),
  )
  const reorgs = [...new Set(l1.removed.values())]
  /** In which blocks of L1 a block of L2 was made safe. */
  const madeBy = (hash: Hex) =>
    derived.flatMap((each) => {
      const on = each?.inclusions.get(hash)
      const block = on === undefined ? undefined : each!.l1.find(({ number }) => number === on)
      return block ? [block.hash] : []
    })
  let safe: { hash: Hex; number: number } | undefined
  return events.flatMap(({ t, who, what, data }): Found[] => {
    if (who !== 'node') return []
    // A node that begins anew knows what was final.
    if (what === 'ended') safe = undefined
    if (what !== 'safe') return []
    const [before, now] = [safe, { hash: data.hash as Hex, number: Number(data.number) }]
    safe = now
    if (!before || now.number >= before.number) return []
    const lost = [...tree.backFrom(before.hash)].find(({ number }) => number === now.number + 1)
    const last = reorgs.findLast((at) => at <= t) ?? Number.POSITIVE_INFINITY
    const stands =
      lost &&
      madeBy(lost.hash).find((hash) => {
        const at = minedAt.get(hash)
        return !l1.removed.has(hash) && at !== undefined && at < last
      })
    if (!stands) return []
    const problem = `Safe went back to block ${now.number}, and L1 still has block ${lost!.number} in ${stands}.`
    return [{ t, problem }]
  })
}
