import type { Checker, Found, LoggedEvent } from './checker.ts'
import { type FaultTime, faultTimes } from './fault-times.ts'

type Hashes = readonly string[]

/** A pending block has no number in answers: its parent says where it stands. */
interface Seen {
  t: number
  parent: string
  /** transactionsRoot of the header; absent in logs of before it was told. */
  root?: string
  transactions: Hashes
}

const pendings = (events: readonly LoggedEvent[]): Seen[] =>
  events
    .filter(({ what }) => what === 'pending.seen')
    .map(({ t, data }) => ({ ...(data as unknown as Seen), t }))

/** Blocks that the node took back. */
function takenBack(events: readonly LoggedEvent[]): ReadonlySet<unknown> {
  const reorgs = events.filter(({ who, what }) => who === 'node' && what === 'reorg')
  return new Set([
    ...reorgs.flatMap(({ data }) => (data.removed ?? []) as Hashes),
    ...leftAtStart(events),
  ])
}

/** What a node leaves while it starts, for L1 took back what it stood on, nobody hears of: another block has its place. */
function leftAtStart(events: readonly LoggedEvent[]): unknown[] {
  const own = new Map<unknown, unknown>()
  const before = new Map<unknown, unknown>()
  let hasL1Moved = false
  return events.flatMap(({ who, what, data }) => {
    if (who === 'l1' && what === 'reorg') hasL1Moved = true
    if (who === 'node' && what === 'ended') for (const each of own) before.set(...each)
    if (who !== 'node' || what !== 'sealed') return []
    own.set(data.number, data.hash)
    const left = before.get(data.number)
    return hasL1Moved && left !== undefined && left !== data.hash ? [left] : []
  })
}

/** Whether the node died in this time: what it had not sealed is gone, and safe begins anew at finalized. */
function diedWithin(events: readonly LoggedEvent[]) {
  const deaths = events
    .filter(({ who, what }) => who === 'node' && what === 'ended')
    .map(({ t }) => t)
  return (from: number, to: number) => deaths.some((t) => from <= t && t <= to)
}

const startsWith = (all: Hashes, first: Hashes) => first.every((hash, at) => all[at] === hash)

export const pendingGoesForward: Checker = {
  name: 'pending-goes-forward',
  says: 'Within a block, pending only grows at its end, unless it is given up.',
  safety(events) {
    const isGivenUp = givenUpWithin(events)
    const died = diedWithin(events)
    const seen = pendings(events)
    return seen.flatMap((now, index): Found[] => {
      const before = seen[index - 1]
      if (!before || before.parent !== now.parent) return []
      if (startsWith(now.transactions, before.transactions)) return []
      if (isGivenUp(now.parent, before.t, now.t) || died(before.t, now.t)) return []
      return [{ t: now.t, problem: `Pending on ${now.parent} lost a transaction it had shown.` }]
    })
  },
}

/** Milliseconds that an answer may be under way: it is of a moment before it is told. */
const UNDER_WAY = 15_000

/** Whether a block that was being built on this one became none in this time, or one was taken back. */
function givenUpWithin(events: readonly LoggedEvent[]) {
  const ends = events.filter(
    ({ who, what }) => who === 'node' && (what === 'dropped' || what === 'reorg'),
  )
  const sealed = new Map(
    events.filter(({ what }) => what === 'sealed').map(({ data }) => [data.hash, data.parent]),
  )
  return (parent: string, from: number, to: number) =>
    ends.some(({ t, data }) => {
      if (t < from - UNDER_WAY || t > to) return false
      const removed = (data.removed ?? []) as Hashes
      return data.parent === parent || removed.some((hash) => sealed.get(hash) === parent)
    })
}

export const preconfirmedIsSealed: Checker = {
  name: 'preconfirmed-is-sealed',
  says: 'What was pre-confirmed in a block is sealed in it, in that order.',
  safety(events) {
    const died = diedWithin(events)
    const dropped = new Set(
      events
        .filter(({ what }) => what === 'dropped')
        .flatMap(({ data }) => [data.hash, ...((data.transactions ?? []) as Hashes)]),
    )
    // On one block others may be sealed, one after the other; one of them is what was shown.
    const sealed = Map.groupBy(
      events.filter(({ what }) => what === 'block.seen' || what === 'sealed'),
      ({ data }) => data.parent,
    )
    return pendings(events).flatMap(({ t, parent, transactions }): Found[] => {
      const blocks = sealed.get(parent) ?? []
      const seen = blocks.findLast(({ what }) => what === 'block.seen')
      if (!seen || died(t, seen.t)) return []
      // What was given up once, and is in a block later, says nothing of the order in it.
      const kept = (all: Hashes) => all.filter((hash) => !dropped.has(hash))
      const promised = kept(transactions)
      if (blocks.some(({ data }) => startsWith(kept(data.transactions as Hashes), promised)))
        return []
      const problem = `Block ${seen.data.number} was sealed without what it had shown.`
      return [{ t: seen.t, problem }]
    })
  },
}

export const oneSnapshot: Checker = {
  name: 'one-snapshot',
  says: 'An answer is of one snapshot.',
  safety(events) {
    const torn = tornPendings(events)
    const mixed = events
      .filter(({ what }) => what === 'receipts.seen')
      .filter(({ data }) => {
        const { blocks, indices, cumulative } = data as Record<string, number[]>
        const isOfOne = new Set(blocks).size <= 1
        const isWhole = indices!.every((value, at) => value === at)
        const isGrowing = cumulative!.every((value, at) => at === 0 || value > cumulative![at - 1]!)
        return !isOfOne || !isWhole || !isGrowing
      })
      .map(({ t }) => ({ t, problem: 'One answer has receipts of two snapshots.' }))
    return [...torn, ...mixed]
  },
}

/** A header commits to its transactions: other transactions have another root, and the same the same. */
function tornPendings(events: readonly LoggedEvent[]): Found[] {
  const roots = new Map<string, string>()
  const lists = new Map<string, string>()
  return pendings(events).flatMap(({ t, parent, root, transactions }): Found[] => {
    if (root === undefined) return []
    const list = transactions.join()
    const isTorn = (roots.get(list) ?? root) !== root || (lists.get(root) ?? list) !== list
    roots.set(list, root)
    lists.set(root, list)
    const problem = `Pending on ${parent} has the header of another snapshot.`
    return isTorn ? [{ t, problem }] : []
  })
}

export const blocksFollow: Checker = {
  name: 'blocks-follow',
  says: 'Every block stands on the one before it, and outlives the node.',
  safety(events) {
    const removed = takenBack(events)
    const blocks = events.filter(({ what }) => what === 'block.seen')
    const astray = blocks.flatMap(({ t, data }, index): Found[] => {
      const before = blocks[index - 1]
      if (!before || Number(before.data.number) + 1 !== data.number) return []
      if (before.data.hash === data.parent) return []
      // Two questions, the chain changed between them: one of the answers is of the chain before.
      if (removed.has(before.data.hash) || removed.has(data.hash)) return []
      return [{ t, problem: `Block ${data.number} does not stand on block ${before.data.number}.` }]
    })
    return [...lostBlocks(events), ...astray]
  },
}

/** Those that are others since the node died, though L1 took nothing back, and it gave none of them up for what L1 says. */
function lostBlocks(events: readonly LoggedEvent[]): Found[] {
  const SETTLING = 60_000
  const died = diedWithin(events)
  const removed = takenBack(events)
  const byL1 = [
    ...faultTimes(events).filter(({ target }) => /^(chain|registry):/.test(target)),
    ...events
      .filter(({ who, what }) => who === 'l1' && what === 'reorg')
      .map(({ t }) => ({ from: t })),
  ]
  return events
    .filter(({ what, t }) => what === 'reorg.seen' && died(t - SETTLING, t))
    .filter(({ t }) => !byL1.some(({ from }) => from <= t))
    .filter(({ t, data }) => !removed.has(lastSeen(events, t, data.number)))
    .map(({ t, data }) => ({
      t,
      problem: `Block ${data.number} was sealed and died with the node.`,
    }))
}

/** Hash of the block that was seen at this number before. */
function lastSeen(events: readonly LoggedEvent[], before: number, number: unknown): unknown {
  return events.findLast(
    ({ t, what, data }) => what === 'block.seen' && t < before && data.number === number,
  )?.data.hash
}

export const safeIsSealed: Checker = {
  name: 'safe-is-sealed',
  says: 'What derivation yields is what was sealed, or latest followed it.',
  safety(events) {
    const removed = takenBack(events)
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
      if (everSealed.has(hash) && (removed.has(hash) || removed.has(own.hash))) return []
      return [{ t, problem: `Block ${number} is safe as ${hash} and was sealed as ${own.hash}.` }]
    })
  },
}

/** L1 blocks on top of one that is final: as our anvil and our own L1 count. */
const L1_FINALITY = 4

export const finalIsFinal: Checker = {
  name: 'final-is-final',
  says: 'What was told as final stays, unless L1 took back what was final there.',
  safety(events) {
    if (faultTimes(events).some(isPastFinality)) return []
    const finals = events
      .filter(({ what }) => what === 'finalized.seen')
      .map(({ data }) => ({ number: Number(data.number), hash: data.hash }))
    return events.flatMap(({ t, what, data }): Found[] => {
      if (what !== 'block.seen' && what !== 'finalized.seen') return []
      const final = finals.find(({ number }) => number === data.number)
      if (!final || final.hash === data.hash || !isAfter(events, t, final.hash)) return []
      return [
        { t, problem: `Block ${data.number} was final as ${final.hash} and is ${data.hash}.` },
      ]
    })
  },
}

const isPastFinality = ({ fault, with: parameters }: FaultTime): boolean =>
  fault === 'reorged' || (fault === 'reorg' && Number(parameters.depth ?? 1) >= L1_FINALITY)

/** Whether it was told as final before. */
function isAfter(events: readonly LoggedEvent[], t: number, hash: unknown): boolean {
  const first = events.find((each) => each.what === 'finalized.seen' && each.data.hash === hash)
  return first !== undefined && first.t <= t
}

export const headsGoForward: Checker = {
  name: 'heads-go-forward',
  says: 'Safe and finalized go back only where L1 does.',
  safety(events) {
    const l1 = backsOf(events)
    // What is final is on the disk before anybody is told, unless the disk itself was at fault.
    const deaths = deathsIn(events)
    const isDisk = faultTimes(events).some(({ target }) => target === 'disk:state')
    const backs = {
      'safe.seen': [...l1, ...deaths],
      'finalized.seen': isDisk ? [...l1, ...deaths] : l1,
    }
    const forgot = isDisk ? [] : finalForgotten(events, l1)
    const used = new Map<string, number>()
    const last = new Map<string, { t: number; number: number }>()
    const back = events.flatMap(({ t, what, data }): Found[] => {
      if (what !== 'safe.seen' && what !== 'finalized.seen') return []
      const before = last.get(what)
      const number = Number(data.number)
      last.set(what, { t, number })
      if (!before || number >= before.number) return []
      // Each makes it go back once.
      const reasons = backs[what].filter((back) => back <= t).length
      used.set(what, (used.get(what) ?? 0) + 1)
      if (used.get(what)! <= reasons) return []
      return [{ t, problem: `${what.split('.')[0]} went back from ${before.number} to ${number}.` }]
    })
    return [...forgot, ...back]
  },
}

/** A node that came back begins at what was final when it died, or after it. */
function finalForgotten(events: readonly LoggedEvent[], l1: readonly number[]): Found[] {
  let final = { t: -1, number: -1 }
  let died: typeof final | undefined
  return events.flatMap(({ t, who, what, data }): Found[] => {
    if (who !== 'node') return []
    if (what === 'ended') died = final
    if (what !== 'safe' && what !== 'finalized') return []
    const number = Number(data.number)
    const before = died
    died = undefined
    if (what === 'finalized') final = { t, number }
    if (!before || number >= before.number || l1.some((at) => at >= before.t && at <= t)) return []
    return [
      { t, problem: `The node died with block ${before.number} final, and began with ${number}.` },
    ]
  })
}

/**
 * When L1 took blocks back, as far as anybody tells, and when the node began anew at what is final. Where the
 * node takes blocks of L2 back for it, safe ends with what is left, and goes back again once it is derived
 * anew that the batches of those are gone, too.
 */
function backsOf(events: readonly LoggedEvent[]): number[] {
  const timesOf = (who: string, what: string) =>
    events.filter((each) => each.who === who && each.what === what).map(({ t }) => t)
  const planned = faultTimes(events)
    .filter(({ fault }) => fault.startsWith('reorg'))
    .map(({ from }) => from)
  const byL1 = timesOf('l1', 'reorg')
  const l1 = byL1.length > 0 ? byL1 : planned
  const l2 = timesOf('node', 'reorg')
  const followed = l1.flatMap((t, index) => {
    return l2.find((at) => at >= t && at < (l1[index + 1] ?? Number.POSITIVE_INFINITY)) ?? []
  })
  return [...l1, ...followed]
}

const deathsIn = (events: readonly LoggedEvent[]) =>
  events.filter(({ who, what }) => who === 'node' && what === 'ended').map(({ t }) => t)
