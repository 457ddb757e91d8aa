import type { SeenAnswer, SeenAnswers } from './seen-answers.ts'
import { type SeenBlock, toSeenBlock } from './seen-blocks.ts'

/** An answer at `pending`, between two looks at one and the same block under construction. */
export interface PendingMoment extends SeenAnswer {
  /** The last that was answered before this was asked, and the first that was asked after its answer. */
  before: SeenBlock
  after: SeenBlock
}

/** Those of some answers that are known to be of one block: the looks around them have one parent. */
export function pendingMoments(seen: SeenAnswers, answers: readonly SeenAnswer[]): PendingMoment[] {
  const looks = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, result }) => params[0] === 'pending' && typeof result === 'object' && result)
    .map(toSeenBlock)
  const byAnswered = looks.toSorted((a, b) => a.answered - b.answered)
  const byAsked = looks.toSorted((a, b) => a.asked - b.asked)
  return answers.flatMap((answer) => {
    const before = byAnswered[firstIndex(byAnswered, (look) => look.answered >= answer.asked) - 1]
    const after = byAsked[firstIndex(byAsked, (look) => look.asked > answer.answered)]
    const isOne = before && after && before.block.parentHash === after.block.parentHash
    return isOne ? [{ ...answer, before, after }] : []
  })
}

/** Of a list that fits from some place on; its length where none does. */
function firstIndex<T>(list: readonly T[], fits: (one: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(list[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
