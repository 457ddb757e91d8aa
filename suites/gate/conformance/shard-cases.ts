import { createHash } from 'node:crypto'

export interface Shard {
  /** From 1 to `count`. */
  index: number
  count: number
}

/**
 * The cases of one shard. A case belongs to a shard by the hash of its id, so that a new case moves
 * no other one, and the shards of one count are disjoint and complete.
 *
 * @param shard `index` from 1 to `count`
 * @example
 * import { selectCases, shardCases } from 'rollbed/conform'
 *
 * console.log(shardCases(selectCases(), { index: 1, count: 3 }).length)
 */
export function shardCases<T extends { id: string }>(
  cases: readonly T[],
  { index, count }: Shard,
): T[] {
  return cases.filter(({ id }) => hashOf(id) % count === index - 1)
}

function hashOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE()
}
