import { countVerdicts, isFailing, type RunResult, VERDICTS } from './model.ts'
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
    ...failing.flatMap((each) => [
      `<details><summary><code>${each.id}</code> ${escapeCell(each.title)} (${each.rules.join(', ')})</summary>`,
      '',
      '```diff',
      ...(each.failure
        ? describeDifference(each.failure.expected, each.failure.actual).map((line) =>
            line.slice(4),
          )
        : [each.reason ?? '']),
      '```',
      '',
      '```sh',
      each.repro,
      '```',
      '',
      '</details>',
      '',
    ]),
  ].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|')
}
