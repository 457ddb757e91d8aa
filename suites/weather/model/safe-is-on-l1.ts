import type { Hex } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { type Derived, deriveL2 } from './derive-l2.ts'
import { eventsOf } from './events-of.ts'
import { L1Tree } from './l1-tree.ts'
import { treeOf } from './l2-tree.ts'

/** L1 blocks on top of one that is final: as our anvil and our own L1 count. */
const L1_FINALITY = 4

export const safeIsOnL1: Checker = {
  name: 'safe-is-on-l1',
  says: 'A block that is safe or final is what a second derivation makes of a branch of L1, block by block.',
  safety(events) {
    const derived = derivedOf(events)
    const l1 = new L1Tree(events)
    // Of what a real L1 took back nobody tells.
    const isUnread = l1.removed.size === 0 && faultTimes(events).some(isReorg)
    const until = l1.blocks.at(-1)?.t ?? -1
    const newest = Math.max(
      -1,
      ...[...(treeOf(events)?.blocks.values() ?? [])].map(({ number }) => number),
    )
    if (derived.includes(undefined) || derived.length === 0 || isUnread) return []
    // A node that has not noticed yet what L1 took back still tells what was right before.
    const since = new Map(
      events
        .filter(({ who, what }) => who === 'node' && what === 'safe')
        .toReversed()
        .map(({ t, data }) => [data.hash, t]),
    )
    const right = new Set(derived.flatMap((each) => each!.blocks.map(({ hash }) => hash)))
    const heads = events.filter(({ who, what }) => who === 'l1' && what === 'block')
    return events.flatMap(({ t, what, data }): Found[] => {
      if (what !== 'safe.seen' && what !== 'finalized.seen') return []
      // What it was derived from, or it itself, was not read any more, or came and went unread.
      if (what === 'finalized.seen' && right.has(data.hash as Hex)) {
        const upTo = Math.max(
          -1,
          ...heads.filter((head) => head.t <= t).map(({ data }) => Number(data.number)),
        )
        const on = Math.min(
          ...derived.map((each) => each!.inclusions.get(data.hash as Hex) ?? Infinity),
        )
        if (upTo < 0 || on === Infinity || on + L1_FINALITY <= upTo) return []
        return [
          { t, problem: `Block ${data.number} is final, and L1 has it in block ${on} of ${upTo}.` },
        ]
      }
      if (t > until || Number(data.number) > newest || right.has(data.hash as Hex)) return []
      if ((since.get(data.hash) ?? t) <= l1.unreadUntil) return []
      const [word] = what.split('.')
      return [{ t, problem: `Block ${data.number} is ${word}, and L1 does not make it so.` }]
    })
  },
}

const isReorg = ({ fault }: { fault: string }) => fault.startsWith('reorg')

const derivations = new WeakMap<readonly LoggedEvent[], (Derived | undefined)[]>()

/** What each branch of L1 makes of L2, worked out once; the branch that was read last at the end. */
export function derivedOf(events: readonly LoggedEvent[]): (Derived | undefined)[] {
  const known = derivations.get(events) ?? deriveAll(events)
  derivations.set(events, known)
  return known
}

function deriveAll(events: readonly LoggedEvent[]): (Derived | undefined)[] {
  const tree = treeOf(events)
  const [known] = eventsOf(events, 'chain.known')
  if (!tree || !known) return []
  const l1 = new L1Tree(events)
  return l1.tips().map(({ hash }) => deriveL2(l1.chainTo(hash), tree, known))
}
