import type { Hex } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import type { Derived } from './derive-l2.ts'
import { eventsOf } from './events-of.ts'
import { hinderedUntil } from './hindered-until.ts'
import { Inbox } from './inbox.ts'
import { L1Tree } from './l1-tree.ts'
import { type L2Tree, treeOf } from './l2-tree.ts'
import { derivedOf } from './safe-is-on-l1.ts'

/** L1 blocks on top of one that is final: as our anvil and our own L1 count. */
const L1_FINALITY = 4
/** L1 blocks in which what is sealed is posted: twice as many as any run of the healthy took. */
const POSTING = 4
/** Milliseconds from an L1 block to what it makes safe, or final: some looks of the node, and more. */
const LOOKING = 5_000
/** Milliseconds after which what L1 does not take is offered again, for more if need be. */
const OUTBIDDING = 5_000
/** L1 blocks after which who waits in vain may post again. */
const LONG = 10

/** What a log of a simulated world says of the way from L2 to L1 and back. */
interface Way {
  tree: L2Tree
  /** By the branch of L1 that was read last. */
  derived: Derived
  /** Milliseconds of the log at which a block of L1, of those read, was mined, by its number. */
  minedAt(number: number): number | undefined
  sealedAt: ReadonlyMap<Hex, number>
  hindered(t: number): number
  /** Milliseconds between L1 blocks. */
  slot: number
  /** Of the newest block of L1. */
  end: number
}

function wayOf(events: readonly LoggedEvent[]): Way | undefined {
  const tree = treeOf(events)
  const derived = derivedOf(events).at(-1)
  // In a real world nothing has its time to the millisecond, and after the weather who waits for a payment moves L1's.
  if (!tree || !derived || tree.known.isReal) return undefined
  const at = (who: string, what: string) =>
    new Map(
      events
        .filter((each) => each.who === who && each.what === what)
        .map(({ t, data }) => [data.hash as Hex, t]),
    )
  const mined = at('l1', 'block')
  const onTime = derived.l1.filter(({ hash, time }) => {
    const t = mined.get(hash)
    return t !== undefined && Math.abs(1_000 * (time - tree.known.genesisTime) - t) < 60_000
  })
  const byNumber = new Map(onTime.map(({ number, hash }) => [number, mined.get(hash)!]))
  const times = [...byNumber.values()]
  return {
    ...{ tree, derived, sealedAt: at('node', 'sealed'), hindered: hinderedUntil(events) },
    minedAt: (number) => byNumber.get(number),
    slot: 1_000 * tree.known.blockTime,
    end: Math.max(-1, ...times),
  }
}

export const batchesComeSoon: Checker = {
  name: 'batches-come-soon',
  says: 'What is sealed is on L1 some blocks later, or as soon after what hindered it; what L1 lost comes again.',
  safety(events) {
    const way = wayOf(events)
    if (!way) return []
    const { tree, derived, sealedAt, hindered, slot, end } = way
    const spikes = faultTimes(events).filter(({ fault }) => fault === 'gas_spike')
    const dropping = events
      .filter(({ who, what }) => who === 'l1' && what === 'reorg')
      .map(({ t }) => ({ from: t }))
    const begins = events.filter(({ who, what }) => who === 'batcher' && what === 'started')
    const begun = (t: number) => begins.findLast((each) => each.t <= t)?.t ?? 0
    // L1's price falls an eighth a block after a spike. The last to offer too little saw the block before it; who
    // died meanwhile left one behind, and whoever comes after him waits as long before he outbids that. What a
    // reorganization dropped is offered again after as long.
    const outbid = (t: number) =>
      Math.max(
        0,
        ...[...spikes, ...dropping]
          .filter(({ from }) => from <= t)
          .map(({ from }) => Math.max(from + slot, begun(t)) + OUTBIDDING),
      )
    // Another frame in between gives up a channel of two: it is posted again once safe has stood still for long.
    const strays = events.some(({ what }) => what === 'stray.sent')
    const limit = (strays ? POSTING + LONG : POSTING) * slot
    const head = tree.heads.findLast(({ hash }) => tree.blocks.has(hash))
    const known = new Set(derived.blocks.map(({ hash }) => hash))
    const posted = derived.blocks.map(({ hash, number }) => ({
      ...{ hash, number },
      at: way.minedAt(derived.inclusions.get(hash) ?? -1),
    }))
    // Where L1 says what nobody sealed, another checker tells of it.
    const waiting = head && !derived.unknown ? [...tree.backFrom(head.hash)] : []
    const open = waiting
      .filter(({ hash }) => !known.has(hash))
      .map(({ hash, number }) => ({ hash, number, at: end }))
    return [...posted, ...open].flatMap(({ hash, number, at }): Found[] => {
      const sealed = sealedAt.get(hash)
      if (at === undefined || sealed === undefined) return []
      if (at - Math.max(sealed, hindered(at), outbid(at)) <= limit) return []
      return [
        { t: at, problem: `Block ${number} was sealed at ${sealed}, and not on L1 until ${at}.` },
      ]
    })
  },
}

export const batchesComeOnce: Checker = {
  name: 'batches-come-once',
  says: 'What is on L1 is not posted again, but after a reorganization, a death, or when it does not become safe for long.',
  safety(events) {
    const [known] = eventsOf(events, 'chain.known')
    const l1 = new L1Tree(events)
    const tip = l1.tips().at(-1)
    const upset = events.find(
      ({ who, what }) =>
        (what === 'reorg' && (who === 'l1' || who === 'node')) ||
        (what === 'ended' && (who === 'node' || who === 'batcher')),
    )
    // Who has the batcher's key posts what he likes.
    const isAlone = events.every(({ what }) => what !== 'stray.sent')
    if (!known || known.isReal || !tip || !isAlone) return []
    const inbox = new Inbox(known)
    const first = new Map<string, number>()
    return l1.chainTo(tip.hash).flatMap(({ t, number, batches }) => {
      const posted = inbox.read(batches).flat()
      return posted.flatMap(({ isSpan, parentCheck, blocks }) =>
        blocks.flatMap(({ time, epoch, transactions }): Found[] => {
          // Since Denim some blocks are of one second, each in a batch by itself.
          const key = [isSpan ? '' : parentCheck, time, epoch, ...transactions].join()
          const before = first.get(key)
          if (before === undefined) first.set(key, number)
          if (before === undefined || number - before >= LONG || (upset && upset.t <= t)) return []
          const problem = `The L2 block of second ${time} is in L1 block ${before} and again in ${number}.`
          return [{ t, problem }]
        }),
      )
    })
  },
}

export const safeComesSoon: Checker = {
  name: 'safe-comes-soon',
  says: 'What L1 has is safe soon after, and final as soon as its block of L1 is.',
  safety(events) {
    const way = wayOf(events)
    if (!way) return []
    const { derived, sealedAt, hindered } = way
    const end = events.at(-1)!.t
    return (['safe', 'finalized'] as const).flatMap((word) => {
      const moves = events.filter(({ who, what }) => who === 'node' && what === word)
      return derived.blocks.flatMap(({ hash, number }): Found[] => {
        const on = derived.inclusions.get(hash)
        const mined = on !== undefined && way.minedAt(on + (word === 'safe' ? 0 : L1_FINALITY))
        if (!mined) return []
        const move = moves.find(({ t, data }) => t >= mined && Number(data.number) >= number)
        const until = move?.t ?? end
        const since = Math.max(mined, sealedAt.get(hash) ?? 0, hindered(until))
        if (until - since <= LOOKING) return []
        return [
          {
            t: until,
            problem: `L1 makes block ${number} ${word} at ${mined}, and it is not so until ${until}.`,
          },
        ]
      })
    })
  },
}
