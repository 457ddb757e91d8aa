import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { CaseFailure } from '../case-failure.ts'
import type { KnownAnswers, KnownKind } from '../seen/known-answers.ts'
import type { KnownQuestion } from './known-question.ts'

/** A kind and its questions, which may have to be brought about first. */
export interface Asked {
  kind: KnownKind
  questions: Promise<readonly KnownQuestion[]>
}

/** What is asked in turn, and how often so far. */
interface Turn {
  kind: KnownKind
  questions: readonly KnownQuestion[]
  asked: number
}

/**
 * Asks one question of each kind in a round, all of them at once, each time the next one, until it is ended
 * and each question was asked: of a run that is over sooner than its questions are brought about, too.
 *
 * @param options `pause` in milliseconds, at least
 * @throws where the target limits requests
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
  const turns: Turn[] = []
  const bring = async ({ kind, questions }: Asked) => {
    try {
      turns.push({ kind, questions: await questions, asked: 0 })
    } catch (error) {
      known.takeAbsence(kind, error)
    }
  }
  let isBrought = false
  void Promise.all(asked.map(bring)).then(() => {
    isBrought = true
  })
  // One failure is a failure: what comes after it says nothing more.
  const open = () => turns.filter(({ kind }) => !known.of(kind).failure)
  const isDone = () =>
    isBrought && open().every(({ asked, questions }) => asked >= questions.length)
  const askOne = async (turn: Turn) => {
    const { kind, questions, asked } = turn
    turn.asked += 1
    const question = questions[asked % questions.length]
    if (!question) return
    const at = clock.now()
    const reply = await question.ask().catch((error: unknown) => {
      // A line that breaks once says nothing of the next question.
      if (error instanceof CaseFailure) return undefined
      if (error instanceof RollbedError || signal.aborted) throw error
      known.take(kind, () => {
        throw error
      })
      return undefined
    })
    if (!reply) return
    known.take(kind, reply.judge, { ...reply.exchange, at, duration: clock.now() - at })
  }
  while (!signal.aborted && !(isEnding() && isDone())) {
    const start = clock.now()
    await Promise.all(open().map(askOne))
    // Where the target or the machine is busy, others want their answers, too.
    await sleep(clock, Math.max(pause(), clock.now() - start), signal)
  }
}
