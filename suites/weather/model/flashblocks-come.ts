import type { Hex } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { hinderedUntil } from './hindered-until.ts'
import { treeOf } from './l2-tree.ts'

/** Milliseconds: ten flashblocks in two seconds, or four in one, and less than two of them. */
const SOON = 300

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
    const pooled = new Map<Hex, number>()
    /** When each was shown first, since it came into the pool. */
    const shown = new Map<Hex, number>()
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (who !== 'node' || t >= astray) return []
      if (what === 'pooled') {
        pooled.set(data.hash as Hex, t)
        shown.delete(data.hash as Hex)
      }
      const added = what === 'flashblock' ? data.added : what === 'sealed' ? data.transactions : []
      return (added as Hex[]).flatMap((hash): Found[] => {
        const signed = tree.signed.get(hash)
        const since = pooled.get(hash)
        if (shown.has(hash)) return []
        shown.set(hash, t)
        if (!signed || since === undefined) return []
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
