import { looksAround } from './looks-around.ts'
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
  const around = looksAround(looks)
  return answers.flatMap((answer) => {
    const before = around.before(answer.asked)
    const after = around.after(answer.answered)
    const isOne = before && after && before.block.parentHash === after.block.parentHash
    return isOne ? [{ ...answer, before, after }] : []
  })
}
