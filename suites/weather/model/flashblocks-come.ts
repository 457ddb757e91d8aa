import { type Hex, size } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { hinderedUntil } from './hindered-until.ts'
import { treeOf } from './l2-tree.ts'

/** Milliseconds: ten flashblocks in two seconds, or four in one, and less than two of them. */
const SOON = 300
/**
 * Bytes of data: more may be more than a flashblock's share of the block (OP spec, Jovian: DA footprint). It waits until
 * the block has as much, and what comes after it may wait for the rest.
 */
const LARGE = 8_000

export const flashblocksCome: Checker = {
  name: 'flashblocks-come',
  says: 'What waits is pre-confirmed by the next flashblock, or as soon as its turn comes.',
  safety(events) {
    const tree = treeOf(events)
    // In a real world nothing has its time to the millisecond.
    if (!tree || tree.known.isReal) return []
    const hindered = hinderedUntil(events)
    // Who was ahead waits, once he knows, until the others are there, too.
    const astray =
      faultTimes(events).find(({ target }) => target === 'clock:node')?.from ?? Infinity
    const places = new Map(
      [...tree.signed.values()].map(({ hash, from, nonce }) => [placeOf(from, nonce), hash]),
    )
    const isLarge = (hash: Hex) => size(tree.signed.get(hash)?.input ?? '0x') > LARGE
    /** Large ones that wait, and whether one does, or did in the block that is being built. */
    const large = new Set<Hex>()
    let isCrowded = false
    const pooled = new Map<Hex, number>()
    /** When each was shown first, since it came into the pool. */
    const shown = new Map<Hex, number>()
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (who !== 'node' || t >= astray) return []
      if (what === 'pooled') {
        pooled.set(data.hash as Hex, t)
        shown.delete(data.hash as Hex)
        if (isLarge(data.hash as Hex)) large.add(data.hash as Hex)
        isCrowded ||= large.size > 0
      }
      if (what === 'discarded') large.delete(data.hash as Hex)
      const added = what === 'flashblock' ? data.added : what === 'sealed' ? data.transactions : []
      const wasCrowded = isCrowded
      for (const hash of added as Hex[]) large.delete(hash)
      if (what === 'sealed') isCrowded = large.size > 0
      return (added as Hex[]).flatMap((hash): Found[] => {
        const signed = tree.signed.get(hash)
        const since = pooled.get(hash)
        if (shown.has(hash)) return []
        shown.set(hash, t)
        if (!signed || since === undefined || wasCrowded) return []
        const before = places.get(placeOf(signed.from, signed.nonce - 1))
        // Where a deposit was before it, its turn came with that.
        const turn = signed.nonce === 0 ? 0 : before && shown.get(before)
        if (turn === undefined) return []
        const waited = t - Math.max(since, turn, hindered(t))
        if (waited <= SOON) return []
        return [{ t, problem: `Transaction ${hash} was next for ${waited} ms until it was shown.` }]
      })
    })
  },
}

const placeOf = (from: Hex, nonce: number) => `${from.toLowerCase()} ${nonce}`
