import { describeTarget } from './describe-target.ts'
import { totalsOf } from './head-of-run.ts'
import { judgedRules } from './judged-rules.ts'
import { type CaseResult, isFailing, type RunResult, type Verdict } from './model.ts'
import { describeFailure } from './summarise.ts'

/** Common Test Report Format (ctrf.io), schema 0.0.0. */
export function toCtrf(result: RunResult): string {
  const tests = result.cases.map(toTest)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const { shouldNotMet, summary } = totalsOf(result)
  const target = describeTarget(result)
  // biome-ignore lint/style/noRestrictedGlobals: parses a moment of the run, reads no clock
  const start = Date.parse(result.startedAt)
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: {
      tool: result.tool,
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + result.duration,
        extra: { shouldNotMet, summary },
      },
      tests,
      environment: {
        appName: 'rollbed conform',
        extra: { profile: result.profile, ...(target && { target }), rules: judgedRules(result) },
      },
    },
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function toTest(result: CaseResult) {
  return {
    name: `${result.id} ${result.title}`,
    status: toStatus(result.verdict),
    rawStatus: result.verdict,
    duration: result.duration,
    suite: [result.area],
    tags: [...result.rules],
    ...(result.reason ? { message: result.reason } : {}),
    // The text beneath the message, in readers of this format.
    ...(result.failure ? { trace: describeFailure(result) } : {}),
    extra: { id: result.id, level: result.level, repro: result.repro },
  }
}

function toStatus(verdict: Verdict): 'passed' | 'failed' | 'skipped' | 'other' {
  if (verdict === 'pass') return 'passed'
  if (isFailing(verdict)) return 'failed'
  return verdict === 'non-strict' ? 'other' : 'skipped'
}
