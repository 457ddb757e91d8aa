import { describeTarget } from './describe-target.ts'
import { describeOutcome } from './head-of-run.ts'
import { judgedRules } from './judged-rules.ts'
import {
  type CaseResult,
  countVerdicts,
  isFailing,
  isNonStrict,
  type RunResult,
  VERDICTS,
} from './model.ts'
import { describeDifference, describeNotes } from './summarise.ts'

/** A summary for a pull request or `$GITHUB_STEP_SUMMARY`. */
export function toMarkdown(result: RunResult): string {
  const counts = countVerdicts(result.cases)
  const failing = result.cases.filter((each) => isFailing(each.verdict))
  return [
    `# Conformance: ${describeOutcome(result)}`,
    '',
    `Profile \`${result.profile}\`, ${result.startedAt}, ${(result.duration / 1000).toFixed(1)} s. ${escapeCell(describeTarget(result))}`.trimEnd(),
    '',
    '| Verdict | Cases |',
    '|-|-|',
    ...VERDICTS.filter((verdict) => counts[verdict]).map((v) => `| ${v} | ${counts[v]} |`),
    '',
    ...describeNotes(result).flatMap((line) => [escapeCell(line), '']),
    ...describeRest(result),
    ...failing.flatMap(describeCase),
    ...describeNonStrict(result.cases.filter(isNonStrict)),
  ].join('\n')
}

/** What was not judged, so that "passed" says of how much. */
function describeRest(result: RunResult): string[] {
  const { notJudged } = judgedRules(result)
  if (notJudged.length === 0) return []
  const rows = notJudged.map(
    ({ rules, reason, flags }) =>
      `| ${rules.length} | ${escapeCell(reason)} | ${flags.map((flag) => `\`${flag}\``).join(' ')} |`,
  )
  return ['| Rules not judged | Why | Would change it |', '|-|-|-|', ...rows, '']
}

function describeCase(result: CaseResult): string[] {
  const lines = result.failure
    ? [
        `--- expected at ${result.failure.at}`,
        '+++ actual',
        ...describeDifference(result.failure.expected, result.failure.actual).map((line) =>
          line.slice(4),
        ),
      ]
    : [result.reason ?? '']
  const rules = escapeCell(result.rules.join(', '))
  return [
    `<details><summary><code>${escapeCell(result.id)}</code> ${escapeCell(result.title)} (${rules})</summary>`,
    '',
    ...fence('diff', lines),
    '',
    ...fence('sh', [result.repro]),
    '',
    '</details>',
    '',
  ]
}

function describeNonStrict(cases: readonly CaseResult[]): string[] {
  if (cases.length === 0) return []
  const intro =
    'These break what the specs say a node `should` do, which fails with `--strict` only.'
  return ['## Not strict', '', intro, '', ...cases.flatMap(describeCase)]
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
