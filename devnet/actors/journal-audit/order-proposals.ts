import type { Hash } from '#protocol/types/bytes'

/** What the order of proposals is read from; snake case is the wire's. */
interface ListedProposal {
  output_root: Hash
  prev_output_root: Hash
  l2_block_number: bigint
}

/** A rule that a list of proposals breaks, and how. */
export interface Disorder {
  rule: string
  says: string
}

/** The range as its proposals tell it, put in order. */
export interface OrderedRange {
  /** The block before the range. */
  start: bigint
  /** The first is missing, and nobody tells how many are: `start` is the nearest that may be. */
  lacksStart: boolean
  /** Output roots of all its blocks; undefined where no proposal tells one. */
  roots: (Hash | undefined)[]
  disorder: Disorder[]
}

/**
 * Puts proposals in the order of their blocks (PRV-RES-05) and says which are swapped, twice there, or
 * missing (PRV-RES-03). The root of a missing block stands in the proposal after it, as prev_output_root.
 * @param proposals at least one
 * @param begins the block before the range, where somebody knows it
 */
export function orderProposals(
  proposals: readonly ListedProposal[],
  aggregate: ListedProposal,
  begins?: bigint,
): OrderedRange {
  const sorted = proposals.toSorted((a, b) => (a.l2_block_number < b.l2_block_number ? -1 : 1))
  const [first] = sorted as [ListedProposal, ...ListedProposal[]]
  const isFirstMissing = first.prev_output_root !== aggregate.prev_output_root
  // How many are missing before the first nobody tells; with one, the chain of roots closes.
  const start = begins ?? first.l2_block_number - (isFirstMissing ? 2n : 1n)
  const end = aggregate.l2_block_number
  const rootOf = new Map<bigint, Hash>([[end, aggregate.output_root]])
  for (const { l2_block_number, prev_output_root } of sorted)
    rootOf.set(l2_block_number - 1n, prev_output_root)
  for (const { l2_block_number, output_root } of sorted) rootOf.set(l2_block_number, output_root)
  const listed = new Set(sorted.map(({ l2_block_number }) => l2_block_number))
  const blocks = range(start + 1n, end)
  const missing = blocks.filter((block) => !listed.has(block))
  return {
    start,
    lacksStart: begins === undefined && isFirstMissing,
    roots: blocks.map((block) => rootOf.get(block)),
    disorder: [
      ...swaps(proposals),
      ...proposals.flatMap(({ l2_block_number: block }, index) =>
        block > start && block <= end
          ? []
          : {
              rule: 'PRV-RES-03',
              says: `proposals[${index}] is of block ${block}, which the aggregate's range, ${start + 1n} to ${end}, does not have`,
            },
      ),
      ...absences(missing),
    ],
  }
}

/** Blocks without a proposal: each by itself, but for a long run. */
function absences(missing: readonly bigint[]): Disorder[] {
  const runs: bigint[][] = []
  for (const block of missing) {
    const run = runs.at(-1)
    if (run?.at(-1) === block - 1n) run.push(block)
    else runs.push([block])
  }
  const rule = 'PRV-RES-03'
  return runs.flatMap((run): Disorder[] =>
    run.length > LONG_RUN
      ? [{ rule, says: `there is no proposal of the blocks ${run[0]} to ${run.at(-1)}` }]
      : run.map((block) => ({ rule, says: `there is no proposal of block ${block}` })),
  )
}

const LONG_RUN = 8

function swaps(proposals: readonly ListedProposal[]): Disorder[] {
  return proposals.flatMap(({ l2_block_number: block }, index): Disorder[] => {
    const before = proposals[index - 1]?.l2_block_number
    if (before === undefined || before < block) return []
    const says =
      before === block
        ? `proposals[${index - 1}] and [${index}] are both of block ${block}`
        : `proposals[${index - 1}] is of block ${before}, proposals[${index}] of block ${block}: not in the order of blocks`
    return [{ rule: 'PRV-RES-05', says }]
  })
}

/** Blocks from `first` to `last`; a range that a wrong number makes absurd is none. */
function range(first: bigint, last: bigint): bigint[] {
  if (last < first || last - first > MAX_BLOCKS) return []
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))
}

const MAX_BLOCKS = 100_000n
