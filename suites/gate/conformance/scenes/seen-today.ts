import type { CaseContext } from '../conformance-case.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { oneOfEach, parentOf, type SeenBlock, seenSealed } from '../seen/seen-blocks.ts'
import { isOfToday } from '../spec/base-time.ts'
import { todaysBlocks } from './todays-blocks.ts'

/**
 * Every block of 200 ms that the run has seen whole, whichever case had asked, in the order of numbers; before
 * the gate itself replaced blocks.
 */
export async function seenToday(t: CaseContext): Promise<SeenBlock[]> {
  await t.scene(todaysBlocks)
  const whole = oneOfEach(
    seenSealed(t.seen).filter(
      ({ transactions, answered }) => transactions && answered < t.seen.calmUntil,
    ),
  )
  const height = ({ block }: SeenBlock) => expectQuantity(block.number, 'number')
  const ordered = whole.toSorted((a, b) => Number(height(a) - height(b)))
  const first = ordered.findIndex(({ block }) => isOfToday(block))
  // Whatever comes after one is one: a block that lacks the signs of it is wrong, not old.
  return first === -1 ? [] : ordered.slice(first)
}

/** A block and the one that it stands on. */
export interface TodaysChild extends SeenBlock {
  parent: SeenBlock
}

/** Those of them whose parent is one of them, too. */
export async function childrenOfToday(t: CaseContext): Promise<TodaysChild[]> {
  const all = await seenToday(t)
  return all.flatMap((each) => {
    const parent = parentOf(each, all)
    return parent ? [{ ...each, parent }] : []
  })
}
