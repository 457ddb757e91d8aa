import { describe, expect, test } from 'vitest'
import { describeDiff, diffRuns } from './diff-runs.ts'
import { mergeRuns, RunsConflict } from './merge-runs.ts'
import type { CaseResult, RunResult, Verdict } from './model.ts'
import { NotARun, parseHistory, parseRun } from './parse-run.ts'
import { recordedCase } from './recorded-case.ts'
import { sampleCase, sampleRun } from './sample-run.ts'

const run = (verdicts: Record<string, Verdict>, change: Partial<RunResult> = {}): RunResult => ({
  ...sampleRun(),
  cases: Object.entries(verdicts).map(([id, verdict]) => sampleCase({ id, verdict })),
  ...change,
})
const ids = (changes: { after: CaseResult }[]) => changes.map(({ after }) => after.id)

describe('the difference of two runs', () => {
  const before = run({
    same: 'fail',
    worse: 'pass',
    better: 'unknown',
    other: 'pass',
    gone: 'pass',
  })
  const after = run({ same: 'fail', worse: 'fail', better: 'pass', other: 'gap', fresh: 'fail' })
  const diff = diffRuns(before, after)

  test('given cases that fail now and did not before, a new one among them, then they are named', () => {
    expect(ids(diff.regressions)).toEqual(['worse', 'fresh'])
  })

  test('given fixes, other changes, new and removed cases, then they are told apart', () => {
    expect(ids(diff.fixes)).toEqual(['better'])
    expect(ids(diff.changes)).toEqual(['other'])
    expect(diff.added.map((each) => each.id)).toEqual(['fresh'])
    expect(diff.removed.map((each) => each.id)).toEqual(['gone'])
  })

  test('given the same run twice, then it is empty', () => {
    expect(Object.values(diffRuns(after, after)).flat()).toEqual([])
  })

  test('given a case that is newer than the first run, then it is told apart from one that broke', () => {
    const fresh = sampleCase({ id: 'new.01', verdict: 'fail', since: 2 })
    const broke = sampleCase({ id: 'old.01', verdict: 'fail', since: 1 })
    const earlier = run({ 'old.01': 'pass' }, { catalogue: 1 })
    const later = { ...earlier, catalogue: 2, cases: [fresh, broke] }
    const found = diffRuns(earlier, later)
    expect(ids(found.newRules)).toEqual(['new.01'])
    expect(ids(found.regressions)).toEqual(['old.01'])
    expect(describeDiff(found)).toContain('1 worse, 1 by new rules')
    // A run from before there were versions cannot tell.
    const { catalogue: _, ...old } = earlier
    expect(ids(diffRuns(old, later).regressions)).toEqual(['new.01', 'old.01'])
  })

  test('when it is printed, then each case has one line, and a regression its command', () => {
    const lines = describeDiff(diff).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'Regressions (2)',
      '  worse: pass → fail',
      '    npx rollbed conform --rpc http://127.0.0.1:8545 --only worse',
    ])
    expect(lines.at(-1)).toBe('2 worse, 1 fixed, 1 changed otherwise, 1 new, 1 removed')
  })
})

describe('merging the shards of a run', () => {
  const rule = sampleRun().rules[0]!
  const shard = (cases: Record<string, Verdict>, startedAt: string, verdict: Verdict) =>
    run(cases, {
      startedAt,
      duration: 5_000,
      rules: [{ ...rule, cases: ['a', 'b', 'c'], verdict, isJudged: true }],
    })
  const one = shard({ a: 'pass' }, '2026-11-21T05:00:00.000Z', 'pass')
  const two = shard({ b: 'fail', c: 'pass' }, '2026-11-21T05:00:02.000Z', 'fail')

  test('given two, then all cases are there, and the time is from the first start to the last end', () => {
    const merged = mergeRuns([two, one])
    expect(merged.cases.map((each) => each.id)).toEqual(['b', 'c', 'a'])
    expect(merged).toMatchObject({ startedAt: '2026-11-21T05:00:00.000Z', duration: 7_000 })
  })

  test('given a rule that no shard judged, then it says why, but not that a shard left it out', () => {
    const left = { reason: 'Left out by --only or --shard.', flags: [] }
    const why = { reason: 'No case could run.', flags: ['--prover'] }
    const unjudged = (each: NonNullable<(typeof rule)['unjudged']>) =>
      run({}, { rules: [{ ...rule, cases: ['x'], isJudged: false, unjudged: each }] })
    const merged = mergeRuns([unjudged(left), unjudged(why)])
    expect(merged.rules[0]).toMatchObject({ isJudged: false, unjudged: why })
  })

  test('given different verdicts of a rule, then the worst counts, and each gap is told once', () => {
    const merged = mergeRuns([one, two])
    expect(merged.rules.map(({ verdict }) => verdict)).toEqual(['fail'])
    expect(merged.gaps).toEqual(sampleRun().gaps)
    expect(merged.staleExpectations).toEqual(sampleRun().staleExpectations)
  })

  test('given one run, then it stays as it is', () => {
    expect(mergeRuns([one])).toEqual(one)
  })

  test('given every shard, then the whole is no shard any more', () => {
    const merged = mergeRuns([partOf(two, 2, 2), partOf(one, 1, 2)])
    expect(merged.cases).toHaveLength(3)
    expect(merged).not.toHaveProperty('shard')
  })

  test.each([
    ['the same case twice', [one, one], 'a is in two of them'],
    ['two profiles', [one, { ...two, profile: 'base' }], 'profile'],
    ['two versions', [one, { ...two, tool: { name: 'rollbed', version: '9' } }], 'version'],
    ['two catalogues', [one, { ...two, catalogue: 9 }], 'catalogue'],
    [
      'two builds',
      [
        { ...one, build: 'a' },
        { ...two, build: 'b' },
      ],
      'build',
    ],
    ['other claims', [one, { ...two, claims: ['flashblocks'] }], 'claims'],
    [
      'one that is strict alone',
      [ofShould(one, 'fail'), ofShould(two, 'non-strict')],
      'strictness',
    ],
    ['nothing', [], 'no runs'],
    ['a shard without the other', [partOf(one, 1, 2)], 'shard 2/2 is missing'],
    ['shards of two runs', [partOf(one, 1, 2), partOf(two, 2, 3)], 'shard 1/3 is missing'],
  ])('given %s, then it refuses', (_name, runs, message) => {
    expect(() => mergeRuns(runs)).toThrow(RunsConflict)
    expect(() => mergeRuns(runs)).toThrow(message)
  })
})

/** With a `should` that is not met beside its cases. */
function ofShould(run: RunResult, verdict: Verdict): RunResult {
  const unmet = sampleCase({ id: `should.${verdict}`, level: 'should', verdict })
  return { ...run, cases: [...run.cases, unmet] }
}

function partOf(run: RunResult, index: number, count: number): RunResult {
  return { ...run, shard: { index, count } }
}

describe('a recorded case, judged again', () => {
  const failure = { at: 'x', expected: 1, actual: 2 }
  const expectation = { reason: 'known', expires: '2026-01-01' }
  test.each<[string, Partial<CaseResult>, boolean, Verdict]>([
    ['an excused failure', { verdict: 'expected-fail', failure, expectation }, false, 'fail'],
    [
      'an excused case without verdict',
      { verdict: 'expected-fail', expectation },
      false,
      'unknown',
    ],
    ['a pass nobody expected', { verdict: 'unexpected-pass', expectation }, false, 'pass'],
    ['a should that is not met', { verdict: 'non-strict', level: 'should' }, false, 'non-strict'],
    ['the same, strictly', { verdict: 'non-strict', level: 'should' }, true, 'fail'],
    ['a strict failure, not strictly', { verdict: 'fail', level: 'should' }, false, 'non-strict'],
    ['a must', { verdict: 'fail', level: 'must' }, false, 'fail'],
    ['a gap', { verdict: 'gap' }, true, 'gap'],
  ])('given %s, then it has its own verdict', (_name, change, strict, verdict) => {
    const judged = recordedCase(sampleCase(change), { strict })
    expect(judged.verdict).toBe(verdict)
    expect(judged).not.toHaveProperty('expectation')
  })
})

describe('reading a recorded run', () => {
  // What comes from elsewhere has no type.
  const withPart = (part: object) => JSON.stringify({ ...sampleRun(), ...part })
  const withRule = (change: object) => withPart({ rules: [{ ...sampleRun().rules[0], ...change }] })
  const withCase = (change: object) => withPart({ cases: [{ ...sampleCase(), ...change }] })
  const withFailure = (change: object) =>
    withCase({ failure: { at: 'x', expected: 1, actual: 2, ...change } })
  const withExchange = (change: object) =>
    withCase({ exchanges: [{ ...sampleCase().exchanges[0], ...change }] })

  test('given what was written, indented or not, then it comes back', () => {
    expect(parseRun(JSON.stringify(sampleRun()))).toEqual(sampleRun())
    expect(parseHistory(JSON.stringify(sampleRun(), null, 2))).toEqual([sampleRun()])
  })

  test('given a run of before there was more to tell, then it is read', () => {
    const { catalogue: _catalogue, claims: _claims, judged: _judged, ...first } = sampleRun()
    const rules = first.rules.map(({ isJudged: _is, unjudged: _why, ...rule }) => rule)
    expect(parseRun(JSON.stringify({ ...first, rules }))).toEqual({ ...first, rules })
  })

  test('given a history, then each line is one run', () => {
    const line = JSON.stringify(sampleRun())
    expect(parseHistory(`${line}\n${line}\n`)).toEqual([sampleRun(), sampleRun()])
  })

  test.each([
    ['other JSON', '{}', 'schema'],
    ['a case without verdict', JSON.stringify({ ...sampleRun(), cases: [{ id: 'x' }] }), 'cases.0'],
    ['another model', JSON.stringify({ ...sampleRun(), schema: 'rollbed.run/2' }), 'schema'],
    ['no JSON', 'rollbed', 'not JSON'],
    ['a rule of no status', withRule({ status: '<h1>passed</h1>' }), 'rules.0.status'],
    ['a rule of no verdict', withRule({ verdict: '<h1>' }), 'rules.0.verdict'],
    ['a rule that says nothing', withRule({ says: undefined }), 'rules.0.says'],
    ['a gap without topic', withPart({ gaps: [{ id: 'OPEN-01' }] }), 'gaps.0.topic'],
    ['an expectation without end', withCase({ expectation: { reason: 'x' } }), 'expires'],
    ['an exchange at a text', withExchange({ at: '<h1>' }), 'cases.0.exchanges.0.at'],
    ['a hint that is no text', withFailure({ hint: 1 }), 'cases.0.failure.hint'],
    ['flags that are no list', withRule({ unjudged: { reason: 'x' } }), 'rules.0.unjudged.flags'],
  ])('given %s, then it is refused by name', (_name, text, message) => {
    expect(() => parseRun(text)).toThrow(NotARun)
    expect(() => parseRun(text)).toThrow(message)
  })
})
