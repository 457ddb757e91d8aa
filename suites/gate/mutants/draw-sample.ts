import { createHash } from 'node:crypto'

/** `count` of the items, drawn by the seed: the same ones each time, and few others when one is added. */
export function drawSample<T extends { id: string }>(
  items: readonly T[],
  { count, seed }: { count: number; seed: number },
): T[] {
  const rank = ({ id }: T) => createHash('sha256').update(`${seed}:${id}`).digest('hex')
  const ranked = items.map((item) => ({ item, rank: rank(item) }))
  const drawn = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count)
  return drawn.map(({ item }) => item)
}
