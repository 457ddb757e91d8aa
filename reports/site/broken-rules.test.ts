import { describe, expect, test } from 'vitest'
import type { RunResult, Verdict } from '#reports/model'
import { sampleCase, sampleRun } from '#reports/sample-run'
import { brokenRules, describeBroken } from './broken-rules.ts'

const RULE = { id: 'RPC-BLK-05', says: 'It has a number.', surface: 'http-rpc' } as const

/** A run of one case on a day of the month. */
function run(day: number, verdict: Verdict, change: Partial<RunResult> = {}): RunResult {
  const own = sampleCase({ id: 'rpc.sample.case.01', verdict, reason: 'It has none.' })
  return {
    ...sampleRun(),
    startedAt: `2026-11-${day}T10:00:00.000Z`,
    cases: [own],
    rules: [{ ...RULE, level: 'must', status: 'covered', cases: [own.id] }],
    ...change,
  }
}

describe('which rules are broken', () => {
  test('given runs that went from good to bad, then it is said since which, by which build and what repeats it', () => {
    const runs = [
      run(24, 'fail', { build: 'v3' }),
      run(21, 'fail', { build: 'v0' }),
      run(23, 'fail', { build: 'v2' }),
      run(22, 'pass', { build: 'v1' }),
    ]
    const broken = brokenRules(runs.map((each) => ({ target: 'a', run: each })))
    expect(broken).toMatchObject([
      {
        ...{ rule: 'RPC-BLK-05', level: 'must', target: 'a' },
        since: '2026-11-23T10:00:00.000Z',
        judged: expect.stringContaining('Build v2.'),
        cases: [{ id: 'rpc.sample.case.01', reason: 'It has none.' }],
      },
    ])
    expect(describeBroken(broken)).toContain(
      'RPC-BLK-05 (must) of a, since 2026-11-23T10:00:00.000Z',
    )
  })

  test('given a target that is good again, or a rule that is not asked for, then there is none', () => {
    const runs = [
      { target: 'a', run: run(21, 'fail') },
      { target: 'a', run: run(22, 'pass') },
      { target: 'b', run: run(21, 'fail') },
    ]
    expect(brokenRules(runs).map(({ target }) => target)).toEqual(['b'])
    expect(brokenRules(runs, (rule) => rule.startsWith('BC-'))).toEqual([])
    expect(describeBroken([])).toMatch(/^No rule/)
  })
})
