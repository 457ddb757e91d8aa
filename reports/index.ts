export { describeDiff, diffRuns, type RunDiff } from './diff-runs.ts'
export { withTotals } from './head-of-run.ts'
export { describeJudged, isJudged, type JudgedRules, judgedRules } from './judged-rules.ts'
export { mergeRuns, RunsConflict } from './merge-runs.ts'
export {
  type CaseResult,
  countVerdicts,
  type Exchange,
  isFailing,
  type RunResult,
  VERDICTS,
  type Verdict,
} from './model.ts'
export { NotARun, parseHistory, parseRun } from './parse-run.ts'
export { recordedCase } from './recorded-case.ts'
export {
  BadEnvelope,
  BadKey,
  type Envelope,
  signRun,
  verifyRun,
  whatIsMissing,
} from './sign-run.ts'
export { type BrokenRule, brokenRules, describeBroken } from './site/broken-rules.ts'
export { addToSite, readRunsOf, writeSite } from './site/write-site.ts'
export { describeFailure, summarise } from './summarise.ts'
export { toBadge } from './to-badge.ts'
export { REPORT_FILES, REPORT_FORMATS, type ReportFormat, writeReports } from './write-reports.ts'
