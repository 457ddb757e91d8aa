import fc from 'fast-check'

const JUNK: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e300, '', '0x', '0X1', '0xg', '16', [], {}, [[]]),
  fc.constantFrom('0x1', 'pending', `0x${'f'.repeat(64)}`, `0x${'f'.repeat(65)}`, 'constructor'),
  fc.jsonValue({ maxDepth: 2 }),
)

/** JSON values of the kind given, with one value somewhere in them replaced by junk. */
export function corrupted(whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(whole, fc.nat(), JUNK)
    .map(([value, pick, junk]) => replaceNode(value, pick % countNodes(value), junk))
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, child) => sum + countNodes(child), 1)
}

/** Nodes are counted depth first, a parent before its children. */
function replaceNode(value: unknown, at: number, junk: unknown): unknown {
  if (at === 0) return junk
  if (typeof value !== 'object' || value === null) return value
  let before = 1
  const replaced = Object.entries(value).map(([key, child]) => {
    const start = before
    before += countNodes(child)
    const isInside = at >= start && at < before
    return [key, isInside ? replaceNode(child, at - start, junk) : child] as const
  })
  return Array.isArray(value) ? replaced.map(([, child]) => child) : Object.fromEntries(replaced)
}
