import { describe, expect, test } from 'vitest'
import { CaseFailure, CaseSetAside } from '../case-failure.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import { judgeEach } from './judge-each.ts'

const seen = ['a', 'b', 'c'].map((says) => ({
  says,
  exchange: {
    transport: 'http' as const,
    at: 0,
    duration: 0,
    url: '',
    request: says,
    response: '',
  },
}))

describe('given what was seen in a run', () => {
  test('when one breaks the rule, then it fails by that one and shows its exchange', async () => {
    const judged = judgeEach(seen, 'letters', ({ says }) =>
      expectEqual(says === 'b', false, 'letter'),
    )
    const failure = await judged.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CaseFailure)
    expect(failure).toMatchObject({
      at: 'letter',
      exchange: { request: 'b' },
      hint: 'The 2. of 3 letters seen.',
    })
  })

  test('when all keep it, then it passes', async () => {
    await expect(judgeEach(seen, 'letters', () => {})).resolves.toBeUndefined()
  })

  test('when there is none, then it says so and passes nothing', async () => {
    await expect(judgeEach([], 'letters', () => {})).rejects.toThrow(CaseSetAside)
  })
})
