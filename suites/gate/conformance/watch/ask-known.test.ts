import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { CaseFailure } from '../case-failure.ts'
import { KnownAnswers } from '../seen/known-answers.ts'
import { askKnown } from './ask-known.ts'

const START = 1_000_000

test('given an answer that is wrong, then the exchange that shows it has the time at which it was asked', async () => {
  const clock = new VirtualClock(START)
  const known = new KnownAnswers()
  const judge = () => {
    throw new CaseFailure({ at: 'result', expected: 1, actual: 2 })
  }
  const exchange = { transport: 'http', url: 'http://a', request: '{}', response: '{}' } as const
  const answers = Promise.withResolvers<{ judge: () => void; exchange: typeof exchange }>()
  const end = new AbortController()
  const asking = askKnown({
    asked: [{ kind: 'calls', questions: Promise.resolve([{ ask: () => answers.promise }]) }],
    ...{ known, clock, signal: end.signal, pause: () => 1, isEnding: () => true },
  })
  await clock.advance(1)
  await clock.advance(7)
  answers.resolve({ judge, exchange })
  await clock.advance(20)
  await asking
  expect(known.of('calls').failure?.exchange).toMatchObject({ at: START + 1, duration: 7 })
})
