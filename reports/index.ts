export {
  type CaseResult,
  countVerdicts,
  type Exchange,
  isFailing,
  type RunResult,
  VERDICTS,
  type Verdict,
} from './model.ts'
export { describeFailure, summarise } from './summarise.ts'
export { REPORT_FORMATS, type ReportFormat, writeReports } from './write-reports.ts'
