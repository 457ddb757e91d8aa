import { expect, test } from 'vitest'
import { cannotJudge } from '../case-failure.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { KnownAnswers } from './known-answers.ts'

const exchange = {
  ...{ transport: 'http' as const, at: 0, duration: 1, url: 'http://node' },
  ...{ request: '{}', response: '{"result":2}' },
}

test('given answers of a kind, then they are counted, and the first wrong one is kept', () => {
  const known = new KnownAnswers()
  for (const answer of [1, 2, 3])
    known.take('calls', () => expectEqual(answer, 1, 'result'), exchange)
  const { count, failure } = known.of('calls')
  expect(count).toBe(3)
  expect(failure).toMatchObject({ at: 'result', expected: 1, actual: 2, exchange })
  expect(failure?.hint).toBe('It was the 2. answer of its kind.')
  expect(known.of('slots')).toEqual({ count: 0 })
})

test('given an answer that cannot even be read, then it is a wrong one, and nothing is thrown', () => {
  const known = new KnownAnswers()
  const broken = () => {
    throw new TypeError('no such member')
  }
  known.take('calls', broken, exchange)
  const { count, failure } = known.of('calls')
  expect(count).toBe(1)
  expect(failure).toMatchObject({ at: 'answer', actual: 'no such member', exchange })
})

test('given an answer that the target gave up, then it is none, and the next one counts', () => {
  const known = new KnownAnswers()
  known.take('calls', () => cannotJudge('The target gave up.'), exchange)
  expect(known.of('calls')).toEqual({ count: 0 })
  known.take('calls', () => expectEqual(1, 1, 'result'), exchange)
  expect(known.of('calls')).toEqual({ count: 1 })
})
