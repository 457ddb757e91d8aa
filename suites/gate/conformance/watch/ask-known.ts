import { type Clock, sleep } from '#protocol/clock/clock'
import type { KnownAnswers, KnownKind } from '../seen/known-answers.ts'
import type { KnownQuestion } from './known-question.ts'

interface Asked {
  kind: KnownKind
  questions: readonly KnownQuestion[]
}

/**
 * Asks one question of each kind in a round, all of them at once, each time the next one, until it is ended.
 *
 * @param options `asked` may get more while it runs: some questions are of what has to be brought about first;
 *   `pause` in milliseconds, at least
 * @throws where nothing answers any more
 */
export async function askKnown(options: {
  asked: readonly Asked[]
  known: KnownAnswers
  clock: Clock
  signal: AbortSignal
  pause: () => number
  isEnding: () => boolean
}): Promise<void> {
  const { asked, known, clock, signal, pause, isEnding } = options
  for (let round = 0; !isEnding(); round++) {
    const start = clock.now()
    // One failure is a failure: what comes after it says nothing more.
    const open = asked.filter(({ kind }) => !known.of(kind).failure)
    const askOne = async ({ kind, questions }: Asked) => {
      const question = questions[round % questions.length]
      if (!question) return
      const { judge, exchange } = await question.ask()
      known.take(kind, judge, exchange)
    }
    await Promise.all(open.map(askOne))
    // Where the target or the machine is busy, others want their answers, too.
    await sleep(clock, Math.max(pause(), clock.now() - start), signal)
  }
}
