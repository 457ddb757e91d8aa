import type { Schedule, Upgrade } from '../types/schedule.ts'
import { RULES_BEFORE, type Rules, UPGRADES } from './upgrade-table.ts'

const NONE: Schedule = {}

/**
 * Whether an upgrade holds for a block.
 * @param timestampMs of the block: milliseconds since 1970 (a header's seconds × 1000 say the same,
 * for an upgrade comes on a whole second)
 * @example
 * isActive({ denim: 15 }, 'denim', 15_000n) // true
 */
export function isActive(
  schedule: Schedule = NONE,
  upgrade: Upgrade,
  timestampMs: bigint,
): boolean {
  const activation = schedule[upgrade] ?? 'never'
  if (typeof activation === 'string') return activation === 'genesis'
  return timestampMs >= BigInt(activation) * 1000n
}

/**
 * The rules that hold for a block.
 * @param timestampMs of the block: milliseconds since 1970, or a header's seconds × 1000
 * @example
 * rulesAt({ denim: 15 }, 15_000n).blockInterval // 200n
 */
export function rulesAt(schedule: Schedule = NONE, timestampMs: bigint): Rules {
  if (schedule === NONE) return RULES_BEFORE
  return Object.assign(
    {},
    RULES_BEFORE,
    ...upgradesOf((upgrade) => isActive(schedule, upgrade, timestampMs)).map(
      (upgrade) => UPGRADES[upgrade].rules,
    ),
  )
}

/**
 * The upgrades whose first block this is: they hold for it and not for its parent. A genesis block is
 * the first of none.
 * @param parentMs milliseconds of the parent, or its header's seconds × 1000; `timestampMs` of the block
 * @example
 * firstOf({ azul: 'genesis', denim: 15 }, 14_000n, 16_000n) // ['denim']
 */
export function firstOf(
  schedule: Schedule = NONE,
  parentMs: bigint,
  timestampMs: bigint,
): Upgrade[] {
  return upgradesOf(
    (upgrade) => isActive(schedule, upgrade, timestampMs) && !isActive(schedule, upgrade, parentMs),
  )
}

/**
 * Whether a chain comes to blocks that nobody pre-confirms: then the specification does not describe it.
 * @example
 * endsPreconfirmations({ azul: 'genesis', denim: 15 }) // true
 */
export function endsPreconfirmations(
  schedule: Readonly<Partial<Record<Upgrade, string | number>>> = NONE,
): boolean {
  const comes = upgradesOf((upgrade) => (schedule[upgrade] ?? 'never') !== 'never')
  return comes.some((upgrade) => UPGRADES[upgrade].rules.hasPreconfirmations === false)
}

/**
 * The schedule without what comes after the newest upgrade that holds: what a proof commits to by the id of
 * the activated schedule.
 * @param timestampMs milliseconds since 1970
 * @example
 * untilNewest({ azul: 'genesis', denim: 15 }, 14_000n) // { azul: 'genesis' }
 */
export function untilNewest(schedule: Schedule, timestampMs: bigint): Schedule {
  const active = upgradesOf((upgrade) => isActive(schedule, upgrade, timestampMs))
  const newest = Math.max(...active.map((upgrade) => UPGRADES[upgrade].place))
  return Object.fromEntries(
    upgradesOf((upgrade) => UPGRADES[upgrade].place <= newest).flatMap((upgrade) =>
      upgrade in schedule ? [[upgrade, schedule[upgrade]]] : [],
    ),
  )
}

function upgradesOf(holds: (upgrade: Upgrade) => boolean): Upgrade[] {
  return (Object.keys(UPGRADES) as Upgrade[]).filter(holds)
}
