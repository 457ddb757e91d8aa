import { type CaseResult, countVerdicts, isFailing, type RunResult, VERDICTS } from './model.ts'
import { describeDifference } from './summarise.ts'

/** A summary for a pull request or `$GITHUB_STEP_SUMMARY`. */
export function toMarkdown(result: RunResult): string {
  const counts = countVerdicts(result.cases)
  const failing = result.cases.filter((each) => isFailing(each.verdict))
  const covered = result.rules.filter((rule) => rule.status === 'covered').length
  return [
    `# Conformance: ${failing.length === 0 ? 'passed' : `${failing.length} of ${result.cases.length} cases failed`}`,
    '',
    `Profile \`${result.profile}\`, ${result.startedAt}, ${(result.duration / 1000).toFixed(1)} s.`,
    `${covered} of ${result.rules.length} rules have a case.`,
    '',
    '| Verdict | Cases |',
    '|-|-|',
    ...VERDICTS.filter((verdict) => counts[verdict]).map((v) => `| ${v} | ${counts[v]} |`),
    '',
    ...failing.flatMap(describeFailing),
  ].join('\n')
}

function describeFailing(result: CaseResult): string[] {
  const lines = result.failure
    ? describeDifference(result.failure.expected, result.failure.actual).map((line) =>
        line.slice(4),
      )
    : [result.reason ?? '']
  const rules = result.rules.join(', ')
  return [
    `<details><summary><code>${result.id}</code> ${escapeCell(result.title)} (${rules})</summary>`,
    '',
    ...fence('diff', lines),
    '',
    ...fence('sh', [result.repro]),
    '',
    '</details>',
    '',
  ]
}

/** A code block whose fence is longer than any run of backticks inside. */
function fence(language: string, lines: readonly string[]): string[] {
  const runs = lines.join('\n').match(/`+/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return [`${ticks}${language}`, ...lines, ticks]
}

function escapeCell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|')
}
