import { describeTarget } from './describe-target.ts'
import { totalsOf } from './head-of-run.ts'
import { describeNotJudged, judgedRules } from './judged-rules.ts'
import { type CaseResult, isFailing, isNonStrict, type RunResult } from './model.ts'
import { describeFailure } from './summarise.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/**
 * SARIF 2.1.0 with the failures as errors and what is not strict as notes, one result for each rule
 * that a case quotes.
 */
export function toSarif(result: RunResult): string {
  const { expectationsFile } = result
  const { shouldNotMet, summary } = totalsOf(result)
  const target = describeTarget(result)
  const notes = [summary, ...(target ? [target] : []), ...describeNotJudged(result)]
  const reported = result.cases.filter((each) => isFailing(each.verdict) || isNonStrict(each))
  const quoted = new Set(reported.flatMap((each) => each.rules))
  const report = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: result.tool.name,
            version: result.tool.version,
            rules: result.rules
              .filter((rule) => quoted.has(rule.id))
              .map((rule) => ({ id: rule.id, shortDescription: { text: rule.says } })),
          },
        },
        properties: {
          ...(target && { target }),
          shouldNotMet,
          summary,
          rules: judgedRules(result),
        },
        // Told too: a run that judged little must not look like a clean one.
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map((text) => ({
              level: 'note',
              message: { text },
            })),
          },
        ],
        results: reported.flatMap((each) =>
          each.rules.map((rule) => toResult(each, rule, expectationsFile)),
        ),
      },
    ],
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** Code scanners want a file: the one that a known failure is written into, when there is one. */
function toResult(result: CaseResult, ruleId: string, expectationsFile: string | undefined) {
  const file = expectationsFile && {
    physicalLocation: { artifactLocation: { uri: expectationsFile } },
  }
  return {
    ruleId,
    level: isNonStrict(result) ? 'note' : 'error',
    message: { text: describeFailure(result) },
    locations: [{ ...file, logicalLocations: [{ fullyQualifiedName: result.id, kind: 'member' }] }],
    partialFingerprints: { caseId: result.id },
  }
}
