import type { Checker, Found, LoggedEvent } from './checker.ts'
import { faultTimes } from './fault-times.ts'

type Hashes = readonly string[]

interface Seen {
  t: number
  number: number
  parent: string
  transactions: Hashes
}

const pendings = (events: readonly LoggedEvent[]): Seen[] =>
  events
    .filter(({ what }) => what === 'pending.seen')
    .map(({ t, data }) => ({ ...(data as unknown as Seen), t }))

/** Whether L1 took blocks back in this time, or soon before: L2 then may build anew. */
function reorgedWithin(events: readonly LoggedEvent[]) {
  const reorgs = [
    ...faultTimes(events).filter(({ fault }) => fault.startsWith('reorg')),
    ...events
      .filter(({ what }) => what === 'reorg' || what === 'reorg.seen')
      .map(({ t }) => ({ from: t })),
  ]
  const SETTLING = 60_000
  return (from: number, to: number) =>
    reorgs.some((reorg) => reorg.from <= to && from <= reorg.from + SETTLING)
}

const startsWith = (all: Hashes, first: Hashes) => first.every((hash, at) => all[at] === hash)

export const pendingGoesForward: Checker = {
  name: 'pending-goes-forward',
  says: 'Within a block, pending only grows at its end.',
  safety(events) {
    const reorged = reorgedWithin(events)
    const seen = pendings(events)
    return seen.flatMap((now, index): Found[] => {
      const before = seen[index - 1]
      if (!before || before.number !== now.number || before.parent !== now.parent) return []
      if (startsWith(now.transactions, before.transactions)) return []
      if (reorged(before.t, now.t)) return []
      return [{ t: now.t, problem: `Pending block ${now.number} lost a transaction it had shown.` }]
    })
  },
}

export const preconfirmedIsSealed: Checker = {
  name: 'preconfirmed-is-sealed',
  says: 'What was pre-confirmed in a block is sealed in it, in that order.',
  safety(events) {
    const reorged = reorgedWithin(events)
    const dropped = new Set(
      events.filter(({ what }) => what === 'dropped').map(({ data }) => data.hash),
    )
    const sealed = new Map(
      events
        .filter(({ what }) => what === 'block.seen')
        .map(({ t, data }) => [`${data.number} ${data.parent}`, { t, data }]),
    )
    return pendings(events).flatMap(({ t, number, parent, transactions }): Found[] => {
      const block = sealed.get(`${number} ${parent}`)
      if (!block || reorged(t, block.t)) return []
      const promised = transactions.filter((hash) => !dropped.has(hash))
      if (startsWith(block.data.transactions as Hashes, promised)) return []
      return [{ t: block.t, problem: `Block ${number} was sealed without what it had shown.` }]
    })
  },
}

export const oneSnapshot: Checker = {
  name: 'one-snapshot',
  says: 'An answer is of one snapshot.',
  safety(events) {
    return events
      .filter(({ what }) => what === 'receipts.seen')
      .filter(({ data }) => {
        const { blocks, indices, cumulative } = data as Record<string, number[]>
        const isOfOne = new Set(blocks).size <= 1
        const isWhole = indices!.every((value, at) => value === at)
        const isGrowing = cumulative!.every((value, at) => at === 0 || value > cumulative![at - 1]!)
        return !isOfOne || !isWhole || !isGrowing
      })
      .map(({ t }) => ({ t, problem: 'One answer has receipts of two snapshots.' }))
  },
}

export const blocksFollow: Checker = {
  name: 'blocks-follow',
  says: 'Every block stands on the one before it.',
  safety(events) {
    const reorged = reorgedWithin(events)
    const blocks = events.filter(({ what }) => what === 'block.seen')
    return blocks.flatMap(({ t, data }, index): Found[] => {
      const before = blocks[index - 1]
      if (!before || Number(before.data.number) + 1 !== data.number) return []
      if (before.data.hash === data.parent || reorged(before.t, t)) return []
      return [{ t, problem: `Block ${data.number} does not stand on block ${before.data.number}.` }]
    })
  },
}

export const safeIsSealed: Checker = {
  name: 'safe-is-sealed',
  says: 'What derivation yields is what was sealed, or latest followed it.',
  safety(events) {
    const reorged = reorgedWithin(events)
    const blocks = events.filter(({ what }) => what === 'block.seen')
    const sealed = new Map(blocks.map(({ t, data }) => [data.number, { t, hash: data.hash }]))
    const everSealed = new Set(blocks.map(({ data }) => data.hash))
    const safe = new Map(
      events
        .filter(({ what }) => what === 'safe.seen' || what === 'finalized.seen')
        .map(({ t, data }) => [data.number, { t, hash: data.hash }]),
    )
    return [...safe].flatMap(([number, { t, hash }]): Found[] => {
      const own = sealed.get(number)
      if (own === undefined || own.hash === hash) return []
      // L1 took back the block that this one was derived from, and L2 built another.
      if (everSealed.has(hash) && reorged(t, own.t)) return []
      return [{ t, problem: `Block ${number} is safe as ${hash} and was sealed as ${own.hash}.` }]
    })
  },
}

export const headsGoForward: Checker = {
  name: 'heads-go-forward',
  says: 'Safe and finalized go back only where L1 does.',
  safety(events) {
    const reorged = reorgedWithin(events)
    const last = new Map<string, { t: number; number: number }>()
    return events.flatMap(({ t, what, data }): Found[] => {
      if (what !== 'safe.seen' && what !== 'finalized.seen') return []
      const before = last.get(what)
      const number = Number(data.number)
      last.set(what, { t, number })
      if (!before || number >= before.number || reorged(before.t, t)) return []
      return [{ t, problem: `${what.split('.')[0]} went back from ${before.number} to ${number}.` }]
    })
  },
}
